package testcluster

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

// Apply applies the objects of manifests; those that have no namespace and need
// one get the given one.
func (c *Cluster) Apply(ctx context.Context, namespace string, manifests ...string) error {
	for _, path := range manifests {
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := c.applyAll(ctx, namespace, content); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

func (c *Cluster) applyAll(ctx context.Context, namespace string, content []byte) error {
	documents := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(content)))
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		object := &unstructured.Unstructured{}
		if err := yaml.Unmarshal(document, object); err != nil {
			return err
		}
		if len(object.Object) == 0 {
			continue // nothing but comments
		}
		namespaced, err := c.Client.IsObjectNamespaced(object)
		if err != nil {
			return err
		}
		if namespaced && object.GetNamespace() == "" {
			object.SetNamespace(namespace)
		}
		err = c.Client.Apply(ctx, client.ApplyConfigurationFromUnstructured(object), client.FieldOwner("testcluster"), client.ForceOwnership)
		if err != nil {
			return fmt.Errorf("%s %s: %w", object.GetKind(), object.GetName(), err)
		}
	}
}

// Bind gives a user a ClusterRole everywhere, or a Role of a namespace there.
func (c *Cluster) Bind(ctx context.Context, user string, role rbacv1.RoleRef, namespace string) error {
	meta := metav1.ObjectMeta{Name: user + "-" + role.Name, Namespace: namespace}
	role.APIGroup = rbacv1.GroupName
	subjects := []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: user}}
	var binding client.Object = &rbacv1.ClusterRoleBinding{ObjectMeta: meta, RoleRef: role, Subjects: subjects}
	if namespace != "" {
		binding = &rbacv1.RoleBinding{ObjectMeta: meta, RoleRef: role, Subjects: subjects}
	}
	return client.IgnoreAlreadyExists(c.Client.Create(ctx, binding))
}

// ServiceAccount returns the access that a pod of the service account has: it is
// known by a token, and may do what its roles say.
func (c *Cluster) ServiceAccount(ctx context.Context, namespace, name string) (*rest.Config, error) {
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	request := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: new(int64(24 * 60 * 60))}}
	if err := c.Client.SubResource("token").Create(ctx, account, request); err != nil {
		return nil, fmt.Errorf("asking for a token of %s/%s: %w", namespace, name, err)
	}
	return &rest.Config{
		Host:            c.Config.Host,
		TLSClientConfig: rest.TLSClientConfig{CAData: c.Config.CAData},
		BearerToken:     request.Status.Token,
		QPS:             -1,
	}, nil
}

// kubeconfig says in a file's terms how config reaches the API server.
func kubeconfig(config *rest.Config) clientcmdapi.Config {
	const name = "testcluster"
	out := clientcmdapi.NewConfig()
	out.Clusters[name] = &clientcmdapi.Cluster{Server: config.Host, CertificateAuthorityData: config.CAData}
	out.AuthInfos[name] = &clientcmdapi.AuthInfo{ClientCertificateData: config.CertData, ClientKeyData: config.KeyData, Token: config.BearerToken}
	out.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name}
	out.CurrentContext = name
	return *out
}
