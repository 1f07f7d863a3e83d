package test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
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
		"key added to the ConfigMap": {"ConfigMap", func(output client.Object) {
			output.(*corev1.ConfigMap).Data["more.conf"] = "tampered"
		}},
		"binary data added to the ConfigMap": {"ConfigMap", func(output client.Object) {
			output.(*corev1.ConfigMap).BinaryData = map[string][]byte{"more.bin": {1}}
		}},
		"labels of the ConfigMap": {"ConfigMap", dropLabels},
		"owner of the ConfigMap":  {"ConfigMap", dropOwner},
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
		"external address of the Service": {"Service", func(output client.Object) {
			output.(*corev1.Service).Spec.ExternalIPs = []string{"192.0.2.1"}
		}},
		"type of the Service": {"Service", func(output client.Object) {
			output.(*corev1.Service).Spec.Type = corev1.ServiceTypeNodePort
		}},
		"pods that the Service reaches": {"Service", func(output client.Object) {
			output.(*corev1.Service).Spec.PublishNotReadyAddresses = true
		}},
		"labels of the Service": {"Service", dropLabels},
		"owner of the Service":  {"Service", dropOwner},
		"replicas of the Deployment": {"Deployment", func(output client.Object) {
			output.(*appsv1.Deployment).Spec.Replicas = new(int32(3))
		}},
		"image of the Deployment": {"Deployment", func(output client.Object) {
			output.(*appsv1.Deployment).Spec.Template.Spec.Containers[0].Image = "tampered"
		}},
		"command of the container": {"Deployment", ourContainer(func(c *corev1.Container) { c.Command = []string{"tampered"} })},
		"environment of the container": {"Deployment", ourContainer(func(c *corev1.Container) {
			c.Env = []corev1.EnvVar{{Name: "LD_PRELOAD", Value: "tampered"}}
		})},
		"rights of the container": {"Deployment", ourContainer(func(c *corev1.Container) {
			c.SecurityContext.Capabilities.Add = []corev1.Capability{"NET_ADMIN"}
		})},
		"what the container mounts": {"Deployment", ourContainer(func(c *corev1.Container) {
			c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{Name: "config", MountPath: "/usr/bin"})
		})},
		"what happens before the container ends": {"Deployment", ourContainer(func(c *corev1.Container) {
			c.Lifecycle = &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{Exec: &corev1.ExecAction{Command: []string{"tampered"}}}}
		})},
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

func ourContainer(tamper func(*corev1.Container)) func(client.Object) {
	return func(output client.Object) { tamper(&output.(*appsv1.Deployment).Spec.Template.Spec.Containers[0]) }
}

// While a Thing is paused the operator changes nothing, and tells so. What has
// changed meanwhile has its effect afterwards.
func TestAPausedThingIsLeftAlone(t *testing.T) {
	startOperator(t)
	thing := createThings(t, newNamespace(t), 1)[0]
	configMap := fetch(t, outputsOf(thing)["ConfigMap"])
	want := essence(configMap)
	change(t, thing, func(thing *v1alpha1.Thing) { thing.Spec.Paused = true })
	testcluster.Eventually(t, patience, func() error {
		return inCondition(fetch(t, thing), v1alpha1.ConditionReconciling, metav1.ConditionFalse, v1alpha1.ReasonPaused)
	})
	mark := auditMark(t)
	change(t, configMap, func(configMap client.Object) { configMap.(*corev1.ConfigMap).Data = nil })
	change(t, thing, func(thing *v1alpha1.Thing) { thing.Spec.Replicas = new(int32(2)) })
	testcluster.Eventually(t, patience, func() error {
		return inCondition(fetch(t, thing), v1alpha1.ConditionReconciling, metav1.ConditionFalse, v1alpha1.ReasonPaused)
	})
	settle(t)
	for _, write := range writesSince(t, mark) {
		if write.Resource != "things" || write.Subresource != "status" {
			t.Errorf("the operator writes while the Thing is paused: %v", write)
		}
	}
	change(t, thing, func(thing *v1alpha1.Thing) { thing.Spec.Paused = false })
	waitEssence(t, configMap, want)
	waitConverged(t, thing)
}

// A port that changes is another one for new pods only: until a rollout has
// replaced them, the others are reached where they listen.
func TestAnotherPortIsNoOutage(t *testing.T) {
	startOperator(t)
	thing := newThing(newNamespace(t), "moving")
	thing.Spec.Replicas = new(int32(2))
	create(t, thing)
	waitConverged(t, thing)
	cluster.Kubelet.Script(thing.Namespace, func(*corev1.Pod) testcluster.Behaviour { return testcluster.Behaviour{NeverReady: true} })
	change(t, thing, func(thing *v1alpha1.Thing) { thing.Spec.Port = 9090 })
	testcluster.Eventually(t, patience, func() error {
		if port := fetch(t, outputsOf(thing)["Service"]).(*corev1.Service).Spec.Ports[0].Port; port != 9090 {
			return fmt.Errorf("the Service's port is %d", port)
		}
		if pods := podsOf(t, thing); len(pods) < 3 {
			return fmt.Errorf("%d pods; the rollout has not begun", len(pods))
		}
		return nil
	})
	settle(t)
	var slices discoveryv1.EndpointSliceList
	if err := cluster.Client.List(t.Context(), &slices, client.InNamespace(thing.Namespace), client.MatchingLabels{discoveryv1.LabelServiceName: thing.Name}); err != nil {
		t.Fatal(err)
	}
	reached := map[int32]int{}
	for _, slice := range slices.Items {
		for _, endpoint := range slice.Endpoints {
			for _, port := range slice.Ports {
				if *endpoint.Conditions.Ready {
					reached[*port.Port]++
				}
			}
		}
	}
	if reached[8080] == 0 || reached[9090] != 0 {
		t.Errorf("pods that are ready are reached at %v; they listen at 8080", reached)
	}
}

// Pods are what the strictest Pod Security Standard lets in.
func TestPodsAreRestricted(t *testing.T) {
	startOperator(t)
	thing := newThing(newNamespace(t), "restricted")
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: thing.Namespace}}
	change(t, namespace, func(namespace *corev1.Namespace) {
		metav1.SetMetaDataLabel(&namespace.ObjectMeta, "pod-security.kubernetes.io/enforce", "restricted")
	})
	create(t, thing)
	waitConverged(t, thing)
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
		return &corev1.ConfigMap{ObjectMeta: meta, Data: output.Data, BinaryData: output.BinaryData}
	case *corev1.Service:
		output.Spec.ClusterIP, output.Spec.ClusterIPs = "", nil
		return &corev1.Service{ObjectMeta: meta, Spec: output.Spec}
	case *appsv1.Deployment:
		return &appsv1.Deployment{ObjectMeta: meta, Spec: output.Spec}
	}
	panic(fmt.Sprintf("%T is no output", output))
}
