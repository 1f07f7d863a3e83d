package test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/operator/api/v1alpha1"
	"github.com/operatorvet/operatorvet/operator/internal/testcluster"
)

func TestDeletedOutputsComeBack(t *testing.T) {
	startOperator(t)
	thing := createThings(t, newNamespace(t), 1)[0]
	for kind, output := range outputsOf(thing) {
		t.Run(kind, func(t *testing.T) {
			want := essence(fetch(t, output))
			if err := cluster.Client.Delete(t.Context(), output); err != nil {
				t.Fatal(err)
			}
			waitEssence(t, output, want)
			waitConverged(t, thing)
		})
	}
}

func TestTamperedOutputsAreRepaired(t *testing.T) {
	startOperator(t)
	thing := createThings(t, newNamespace(t), 1)[0]
	dropOwner := func(output client.Object) { output.SetOwnerReferences(nil) }
	dropLabels := func(output client.Object) { output.SetLabels(nil) }
	for name, row := range map[string]struct {
		kind   string
		tamper func(client.Object)
	}{
		"data of the ConfigMap": {"ConfigMap", func(output client.Object) {
			data := output.(*corev1.ConfigMap).Data
			for key := range data {
				data[key] = "tampered"
			}
		}},
		"data of the ConfigMap removed": {"ConfigMap", func(output client.Object) { output.(*corev1.ConfigMap).Data = nil }},
		"labels of the ConfigMap":       {"ConfigMap", dropLabels},
		"owner of the ConfigMap":        {"ConfigMap", dropOwner},
		"port of the Service": {"Service", func(output client.Object) {
			output.(*corev1.Service).Spec.Ports[0].Port = 4711
		}},
		"target port of the Service": {"Service", func(output client.Object) {
			output.(*corev1.Service).Spec.Ports[0].TargetPort = intstr.FromInt32(4711)
		}},
		"port added to the Service": {"Service", func(output client.Object) {
			service := output.(*corev1.Service)
			service.Spec.Ports[0].Name = "first"
			service.Spec.Ports = append(service.Spec.Ports, corev1.ServicePort{Name: "second", Port: 4711})
		}},
		"selector of the Service": {"Service", func(output client.Object) {
			for key := range output.(*corev1.Service).Spec.Selector {
				output.(*corev1.Service).Spec.Selector[key] = "tampered"
			}
		}},
		"labels of the Service": {"Service", dropLabels},
		"owner of the Service":  {"Service", dropOwner},
		"replicas of the Deployment": {"Deployment", func(output client.Object) {
			output.(*appsv1.Deployment).Spec.Replicas = new(int32(3))
		}},
		"image of the Deployment": {"Deployment", func(output client.Object) {
			output.(*appsv1.Deployment).Spec.Template.Spec.Containers[0].Image = "tampered"
		}},
		"hash on the pod template": {"Deployment", func(output client.Object) {
			output.(*appsv1.Deployment).Spec.Template.Annotations = nil
		}},
		"labels of the Deployment": {"Deployment", dropLabels},
		"owner of the Deployment":  {"Deployment", dropOwner},
	} {
		t.Run(name, func(t *testing.T) {
			output := outputsOf(thing)[row.kind]
			want := essence(fetch(t, output))
			change(t, output, row.tamper)
			waitEssence(t, output, want)
			waitConverged(t, thing)
		})
	}
}

// What others add to an output, and the size of a Deployment that the Thing leaves
// to others, are theirs.
func TestFieldsOfOthersAreLeftAlone(t *testing.T) {
	startOperator(t)
	thing := newThing(newNamespace(t), "shared")
	thing.Spec.Replicas = nil
	create(t, thing)
	waitConverged(t, thing)

	deployment := outputsOf(thing)["Deployment"].(*appsv1.Deployment)
	change(t, deployment, func(deployment *appsv1.Deployment) {
		deployment.Spec.Replicas = new(int32(3))
		deployment.Annotations["injector.example.com/status"] = "injected"
		deployment.Spec.Template.Annotations["injector.example.com/status"] = "injected"
		deployment.Spec.Template.Spec.Containers = append(deployment.Spec.Template.Spec.Containers, corev1.Container{
			Name: "sidecar", Image: "sidecar", TerminationMessagePolicy: corev1.TerminationMessageReadFile, ImagePullPolicy: corev1.PullAlways,
		})
	})
	service := outputsOf(thing)["Service"]
	change(t, service, func(service client.Object) {
		service.SetAnnotations(map[string]string{"balancer.example.com/id": "42"})
	})
	wantDeployment, wantService := essence(fetch(t, deployment)).(*appsv1.Deployment), essence(fetch(t, service))

	// A new spec makes the operator write all that it has to say.
	change(t, thing, func(thing *v1alpha1.Thing) { thing.Spec.Image = "registry.example.com/thing:2" })
	testcluster.Eventually(t, patience, func() error {
		if image := fetch(t, deployment).Spec.Template.Spec.Containers[0].Image; image != thing.Spec.Image {
			return fmt.Errorf("image %q", image)
		}
		return nil
	})
	waitConverged(t, thing)
	settle(t)
	wantDeployment.Spec.Template.Spec.Containers[0].Image = thing.Spec.Image
	waitEssence(t, deployment, wantDeployment)
	waitEssence(t, service, wantService)
}

// waitEssence waits until the output says again what it said.
func waitEssence(t *testing.T, output, want client.Object) {
	t.Helper()
	testcluster.Eventually(t, patience, func() error {
		if err := cluster.Client.Get(t.Context(), client.ObjectKeyFromObject(output), output); err != nil {
			return err
		}
		if diff := cmp.Diff(want, essence(output)); diff != "" {
			return fmt.Errorf("(-want +got)\n%s", diff)
		}
		return nil
	})
}

// essence is what an output says, without what the control plane adds to it.
func essence(output client.Object) client.Object {
	output = output.DeepCopyObject().(client.Object)
	meta := metav1.ObjectMeta{
		Labels:          output.GetLabels(),
		Annotations:     output.GetAnnotations(),
		OwnerReferences: output.GetOwnerReferences(),
	}
	delete(meta.Annotations, "deployment.kubernetes.io/revision")
	switch output := output.(type) {
	case *corev1.ConfigMap:
		return &corev1.ConfigMap{ObjectMeta: meta, Data: output.Data}
	case *corev1.Service:
		output.Spec.ClusterIP, output.Spec.ClusterIPs = "", nil
		return &corev1.Service{ObjectMeta: meta, Spec: output.Spec}
	case *appsv1.Deployment:
		return &appsv1.Deployment{ObjectMeta: meta, Spec: output.Spec}
	}
	panic(fmt.Sprintf("%T is no output", output))
}
