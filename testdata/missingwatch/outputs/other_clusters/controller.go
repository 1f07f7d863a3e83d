// Package fixture writes into other clusters.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/cluster"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// ClientOfAWorkloadClusterMadeInReconcile reads a kubeconfig from a Secret and
// writes into the cluster that it names, where the manager watches nothing.
type ClientOfAWorkloadClusterMadeInReconcile struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ClientOfAWorkloadClusterMadeInReconcile) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	remote, err := r.remoteClient(ctx, thing)
	if err != nil {
		return ctrl.Result{}, err
	}
	config := newConfigMap(thing)
	_, err = controllerutil.CreateOrUpdate(ctx, remote, config, func() error {
		config.Data = thing.Spec.Config
		return nil
	})
	return ctrl.Result{}, err
}

func newConfigMap(thing *thingapi.Thing) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-config", Namespace: thing.Namespace},
		Data:       thing.Spec.Config,
	}
}

func (r *ClientOfAWorkloadClusterMadeInReconcile) remoteClient(ctx context.Context, thing *thingapi.Thing) (client.Client, error) {
	secret := &corev1.Secret{}
	if err := r.Get(ctx, client.ObjectKey{Namespace: thing.Namespace, Name: thing.Spec.SecretRef}, secret); err != nil {
		return nil, err
	}
	config, err := clientcmd.RESTConfigFromKubeConfig(secret.Data["kubeconfig"])
	if err != nil {
		return nil, err
	}
	return client.New(config, client.Options{Scheme: r.Scheme})
}

func (r *ClientOfAWorkloadClusterMadeInReconcile) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// ClientsetOfAWorkloadCluster writes through a clientset made from the
// kubeconfig of another cluster.
type ClientsetOfAWorkloadCluster struct {
	client.Client
	Scheme *runtime.Scheme
}

func clientsetOf(secret *corev1.Secret) (kubernetes.Interface, error) {
	config, err := clientcmd.RESTConfigFromKubeConfig(secret.Data["kubeconfig"])
	if err != nil {
		return nil, err
	}
	return kubernetes.NewForConfig(config)
}

func (r *ClientsetOfAWorkloadCluster) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	secret := &corev1.Secret{}
	if err := r.Get(ctx, client.ObjectKey{Namespace: thing.Namespace, Name: thing.Spec.SecretRef}, secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	kube, err := clientsetOf(secret)
	if err != nil {
		return ctrl.Result{}, err
	}
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: "kube-system"}}
	_, err = kube.CoreV1().ServiceAccounts(account.Namespace).Create(ctx, account, metav1.CreateOptions{})
	return ctrl.Result{}, client.IgnoreAlreadyExists(err)
}

func (r *ClientsetOfAWorkloadCluster) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// SecondClusterObjectInAField holds a second cluster beside the manager's, and
// copies Secrets over there.
type SecondClusterObjectInAField struct {
	client.Client
	Remote cluster.Cluster
}

func (r *SecondClusterObjectInAField) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	secret := &corev1.Secret{}
	if err := r.Get(ctx, client.ObjectKey{Namespace: thing.Namespace, Name: thing.Spec.SecretRef}, secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	copied := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: secret.Name, Namespace: secret.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Remote.GetClient(), copied, func() error {
		copied.Data = secret.Data
		return nil
	})
	return ctrl.Result{}, err
}

// Register connects to the second cluster and adds the controller.
func Register(mgr ctrl.Manager, remote *rest.Config) error {
	second, err := cluster.New(remote)
	if err != nil {
		return err
	}
	if err := mgr.Add(second); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(&SecondClusterObjectInAField{Client: mgr.GetClient(), Remote: second})
}

// tracker keeps connections to workload clusters.
type tracker interface {
	GetClient(ctx context.Context, cluster client.ObjectKey) (client.Client, error)
}

// TrackerHandsOutClientsOfOtherClusters gets the client of a workload cluster
// from a tracker, by key.
type TrackerHandsOutClientsOfOtherClusters struct {
	client.Client
	Tracker tracker
}

func (r *TrackerHandsOutClientsOfOtherClusters) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	remote, err := r.Tracker.GetClient(ctx, client.ObjectKeyFromObject(thing))
	if err != nil {
		return ctrl.Result{}, err
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: thing.Name}}
	if err := client.IgnoreAlreadyExists(remote.Create(ctx, namespace)); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(remote.Create(ctx, newSecret(thing)))
}

func newSecret(thing *thingapi.Thing) *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-credentials", Namespace: thing.Namespace},
		StringData: map[string]string{"user": thing.Name},
	}
}

func (r *TrackerHandsOutClientsOfOtherClusters) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}
