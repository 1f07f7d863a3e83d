package controller

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"github.com/operatorvet/operatorvet/operator/internal/drain"
)

func TestOurContainerIsOursAndOthersAreNot(t *testing.T) {
	t.Parallel()
	deployment := &appsv1.Deployment{}
	ours := corev1.Container{
		Name: containerName, Image: "image", ImagePullPolicy: corev1.PullAlways,
		VolumeMounts:    []corev1.VolumeMount{{Name: "config", MountPath: configMountPath}},
		SecurityContext: &corev1.SecurityContext{Capabilities: &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}}, ReadOnlyRootFilesystem: new(true)},
	}
	sidecar := corev1.Container{Name: "sidecar", Command: []string{"theirs"}, Env: []corev1.EnvVar{{Name: "theirs"}}}
	deployment.Spec.Template.Spec.Containers = []corev1.Container{sidecar, ours}
	if stripDeployment(deployment) {
		t.Errorf("something was taken off: %+v", deployment.Spec.Template.Spec.Containers)
	}
	tampered := &deployment.Spec.Template.Spec.Containers[1]
	tampered.Args = []string{"tampered"}
	tampered.SecurityContext.Privileged = new(true)
	if !stripDeployment(deployment) || tampered.Args != nil || tampered.SecurityContext.Privileged != nil || tampered.SecurityContext.ReadOnlyRootFilesystem == nil {
		t.Errorf("left is %+v", tampered)
	}
	if deployment.Spec.Template.Spec.Containers[0].Command == nil {
		t.Error("the command of somebody else's container was taken off")
	}
}

// That a mark goes is an event, too.
func TestPodsThatAreOrWereMarkedAreWatched(t *testing.T) {
	t.Parallel()
	plain, marked := &corev1.Pod{}, &corev1.Pod{}
	marked.Annotations = map[string]string{drain.Annotation: "{}"}
	passes := markedPods()
	if !passes.Update(event.UpdateEvent{ObjectOld: marked, ObjectNew: plain}) || !passes.Update(event.UpdateEvent{ObjectOld: plain, ObjectNew: marked}) {
		t.Error("a mark that comes or goes passes unseen")
	}
	if passes.Update(event.UpdateEvent{ObjectOld: plain, ObjectNew: plain}) {
		t.Error("pods without a mark are watched")
	}
}
