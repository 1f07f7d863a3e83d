package controller

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	thingv1alpha1 "github.com/operatorvet/operatorvet/operator/api/v1alpha1"
)

func web() *thingv1alpha1.Thing {
	config := make(map[string]thingv1alpha1.ConfigValue)
	for i := range 20 {
		config[fmt.Sprintf("key-%d", i)] = "value"
	}
	return &thingv1alpha1.Thing{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "uid", Generation: 1},
		Spec:       thingv1alpha1.ThingSpec{Image: "image", Replicas: new(int32(3)), Port: 8080, Config: config},
	}
}

func hash(t *testing.T, thing *thingv1alpha1.Thing) string {
	t.Helper()
	hash, err := render(thing).hash()
	if err != nil {
		t.Fatal(err)
	}
	return hash
}

func TestTheSameSpecIsRenderedIntoTheSameBytes(t *testing.T) {
	t.Parallel()
	want := hash(t, web())
	for range 100 {
		if got := hash(t, web()); got != want {
			t.Fatalf("hash %s, then %s", want, got)
		}
	}
	later := web()
	later.Generation, later.Status.ReadyReplicas, later.Annotations = 7, 3, map[string]string{"touched": "yes"}
	if got := hash(t, later); got != want {
		t.Error("the hash depends on more than the spec")
	}
}

func TestAChangeOfTheConfigurationRollsThePods(t *testing.T) {
	t.Parallel()
	template := func(thing *thingv1alpha1.Thing) string {
		return render(thing).deployment.Spec.Template.Annotations[configHashAnnotation]
	}
	changed := web()
	changed.Spec.Config["key-1"] = "another value"
	if template(changed) == template(web()) {
		t.Error("the pod template is the same with another configuration")
	}
	scaled := web()
	scaled.Spec.Replicas = new(int32(5))
	if template(scaled) != template(web()) {
		t.Error("a change of size changes the pod template")
	}
}

func TestTheConfigurationFileIsSorted(t *testing.T) {
	t.Parallel()
	file := renderConfig(map[string]thingv1alpha1.ConfigValue{"b": "2", "a": "1", "c": "x=y"})
	if want := "a=1\nb=2\nc=x=y\n"; file != want {
		t.Errorf("got %q, want %q", file, want)
	}
}

func TestPortsAreOursAsAWhole(t *testing.T) {
	t.Parallel()
	desired := renderService(web())
	service := func(ports ...int32) *corev1.Service {
		service := &corev1.Service{}
		for _, port := range ports {
			service.Spec.Ports = append(service.Spec.Ports, corev1.ServicePort{Port: port, Protocol: corev1.ProtocolTCP})
		}
		return service
	}
	if stripService(service(8080), desired) {
		t.Error("the Service as rendered is not whole")
	}
	for _, live := range []*corev1.Service{service(8080, 4711), service(4711)} {
		before := live.Spec.Ports
		if !stripService(live, desired) || len(live.Spec.Ports) != 1 || live.Spec.Ports[0].Port != 8080 || live.Spec.Ports[0].TargetPort != intstr.FromString(portName) {
			t.Errorf("ports %v become %v", before, live.Spec.Ports)
		}
	}
}

func TestAMessageForAConditionIsShort(t *testing.T) {
	t.Parallel()
	if got := shortened(strings.Repeat("ä", 5000)); len(got) > 1003 || !strings.HasSuffix(got, "ä...") {
		t.Errorf("%d bytes, ends with %q", len(got), got[len(got)-8:])
	}
	if got := shortened("short"); got != "short" {
		t.Error(got)
	}
}
