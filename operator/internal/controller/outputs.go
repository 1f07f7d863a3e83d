package controller

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
	appsv1ac "k8s.io/client-go/applyconfigurations/apps/v1"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	metav1ac "k8s.io/client-go/applyconfigurations/meta/v1"

	thingv1alpha1 "github.com/operatorvet/operatorvet/operator/api/v1alpha1"
)

const (
	nameLabel      = "app.kubernetes.io/name"
	instanceLabel  = "app.kubernetes.io/instance"
	managedByLabel = "app.kubernetes.io/managed-by"

	appName   = "thing"
	managedBy = "thing-operator"

	configHashAnnotation = "thing.example.com/config-hash"
	configFile           = "thing.conf"
	configMountPath      = "/etc/thing"
	containerName        = "thing"
	portName             = "thing"
)

// ManagedLabels select every object that the operator makes, pods included.
func ManagedLabels() labels.Set { return labels.Set{managedByLabel: managedBy} }

// outputs is all that a Thing is rendered into. It depends on the Thing's name, UID and spec only, so the same Thing is
// rendered into the same bytes every time.
type outputs struct {
	configMap  *corev1ac.ConfigMapApplyConfiguration
	deployment *appsv1ac.DeploymentApplyConfiguration
	service    *corev1ac.ServiceApplyConfiguration
}

func render(thing *thingv1alpha1.Thing) outputs {
	file := renderConfig(thing.Spec.Config)
	return outputs{
		configMap:  renderConfigMap(thing, file),
		deployment: renderDeployment(thing, hashOf(file)),
		service:    renderService(thing),
	}
}

// hash is the identity of what is rendered.
func (o outputs) hash() (string, error) {
	rendered, err := json.Marshal([]any{o.configMap, o.deployment, o.service})
	if err != nil {
		return "", fmt.Errorf("hashing the outputs: %w", err)
	}
	return hashOf(string(rendered)), nil
}

func renderConfig(config map[string]thingv1alpha1.ConfigValue) string {
	var file strings.Builder
	for _, key := range slices.Sorted(maps.Keys(config)) {
		fmt.Fprintf(&file, "%s=%s\n", key, config[key])
	}
	return file.String()
}

func renderConfigMap(thing *thingv1alpha1.Thing, file string) *corev1ac.ConfigMapApplyConfiguration {
	return corev1ac.ConfigMap(thing.Name, thing.Namespace).
		WithLabels(objectLabels(thing)).
		WithOwnerReferences(ownerReference(thing)).
		WithData(map[string]string{configFile: file})
}

func renderDeployment(thing *thingv1alpha1.Thing, configHash string) *appsv1ac.DeploymentApplyConfiguration {
	container := corev1ac.Container().
		WithName(containerName).
		WithImage(thing.Spec.Image).
		WithPorts(corev1ac.ContainerPort().
			WithName(portName).
			WithContainerPort(thing.Spec.Port).
			WithProtocol(corev1.ProtocolTCP)).
		WithReadinessProbe(corev1ac.Probe().
			WithTCPSocket(corev1ac.TCPSocketAction().WithPort(intstr.FromString(portName)))).
		WithSecurityContext(corev1ac.SecurityContext().
			WithAllowPrivilegeEscalation(false).
			WithCapabilities(corev1ac.Capabilities().WithDrop("ALL"))).
		WithVolumeMounts(corev1ac.VolumeMount().
			WithName("config").
			WithMountPath(configMountPath).
			WithReadOnly(true))
	pod := corev1ac.PodSpec().
		WithAutomountServiceAccountToken(false).
		WithSecurityContext(corev1ac.PodSecurityContext(). // what the Pod Security Standard "restricted" asks for
									WithRunAsNonRoot(true).
									WithSeccompProfile(corev1ac.SeccompProfile().WithType(corev1.SeccompProfileTypeRuntimeDefault))).
		WithContainers(container).
		WithVolumes(corev1ac.Volume().
			WithName("config").
			WithConfigMap(corev1ac.ConfigMapVolumeSource().WithName(thing.Name)))
	spec := appsv1ac.DeploymentSpec().
		WithSelector(metav1ac.LabelSelector().WithMatchLabels(podSelector(thing))).
		WithTemplate(corev1ac.PodTemplateSpec().
			WithLabels(objectLabels(thing)).
			WithAnnotations(map[string]string{configHashAnnotation: configHash}).
			WithSpec(pod))
	if thing.Spec.Replicas != nil { // otherwise the size is somebody else's
		spec.WithReplicas(*thing.Spec.Replicas)
	}
	return appsv1ac.Deployment(thing.Name, thing.Namespace).
		WithLabels(objectLabels(thing)).
		WithOwnerReferences(ownerReference(thing)).
		WithSpec(spec)
}

func renderService(thing *thingv1alpha1.Thing) *corev1ac.ServiceApplyConfiguration {
	return corev1ac.Service(thing.Name, thing.Namespace).
		WithLabels(objectLabels(thing)).
		WithOwnerReferences(ownerReference(thing)).
		WithSpec(corev1ac.ServiceSpec().
			WithType(corev1.ServiceTypeClusterIP).
			WithSelector(podSelector(thing)).
			WithPorts(corev1ac.ServicePort().
				WithPort(thing.Spec.Port).
				WithProtocol(corev1.ProtocolTCP).
				// By name: while a rollout changes the port, each pod is reached at its own.
				WithTargetPort(intstr.FromString(portName))))
}

// podSelector selects the pods of one Thing. A Deployment's selector can never be changed, so nothing that may change
// belongs in here.
func podSelector(thing *thingv1alpha1.Thing) map[string]string {
	return map[string]string{nameLabel: appName, instanceLabel: thing.Name}
}

func objectLabels(thing *thingv1alpha1.Thing) map[string]string {
	return map[string]string{nameLabel: appName, instanceLabel: thing.Name, managedByLabel: managedBy}
}

// ownerReference makes the Thing the controller of an output: the output is watched through it and collected with the
// Thing. It does not block the Thing's deletion, for which the operator would need a right on the Thing's finalizers.
func ownerReference(thing *thingv1alpha1.Thing) *metav1ac.OwnerReferenceApplyConfiguration {
	return metav1ac.OwnerReference().
		WithAPIVersion(thingv1alpha1.GroupVersion.String()).
		WithKind("Thing").
		WithName(thing.Name).
		WithUID(thing.UID).
		WithController(true)
}

func hashOf(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:8])
}

// selectorOf is the selector in the form of the scale subresource.
func selectorOf(thing *thingv1alpha1.Thing) string {
	return metav1.FormatLabelSelector(&metav1.LabelSelector{MatchLabels: podSelector(thing)})
}
