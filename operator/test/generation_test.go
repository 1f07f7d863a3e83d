package test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

// withoutGeneration is the list that the rule blindpredicate goes by.
const withoutGeneration = "../../internal/library/testdata/without_generation.txt"

// edits are objects of built-in kinds, each with an edit of what its kind is about: the spec, the data, the rules. Where
// all of that is immutable, it is an edit of the metadata.
var edits = []struct{ object, patch string }{
	{"apiVersion: v1\nkind: ConfigMap\ndata: {a: b}", `{"data":{"a":"c"}}`},
	{"apiVersion: v1\nkind: Secret\nstringData: {a: b}", `{"stringData":{"a":"c"}}`},
	{"apiVersion: v1\nkind: ServiceAccount", `{"automountServiceAccountToken":false}`},
	{"apiVersion: v1\nkind: Service\nspec: {ports: [{port: 80}]}", `{"spec":{"ports":[{"port":81}]}}`},
	{"apiVersion: v1\nkind: Endpoints\nsubsets: [{addresses: [{ip: 10.0.0.1}], ports: [{port: 80}]}]", `{"subsets":null}`},
	{"apiVersion: v1\nkind: Event\ninvolvedObject: {kind: Pod, name: p, namespace: NAMESPACE}\nreason: Tested\ntype: Normal", `{"message":"again"}`},
	{"apiVersion: v1\nkind: LimitRange\nspec: {limits: [{type: Pod, max: {cpu: 1}}]}", `{"spec":{"limits":[{"type":"Pod","max":{"cpu":2}}]}}`},
	{"apiVersion: v1\nkind: ResourceQuota\nspec: {hard: {pods: 1}}", `{"spec":{"hard":{"pods":2}}}`},
	{"apiVersion: v1\nkind: PersistentVolumeClaim\nspec: {storageClassName: none, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}", `{"metadata":{"labels":{"a":"b"}}}`},
	{"apiVersion: v1\nkind: PersistentVolume\nspec: {accessModes: [ReadWriteOnce], capacity: {storage: 1Gi}, hostPath: {path: /tmp}}", `{"spec":{"capacity":{"storage":"2Gi"}}}`},
	{"apiVersion: v1\nkind: Namespace", `{"metadata":{"labels":{"a":"b"}}}`},
	{"apiVersion: v1\nkind: Node", `{"spec":{"unschedulable":true}}`},
	{"apiVersion: v1\nkind: Pod\nspec: {schedulerName: none, containers: [{name: a, image: a}]}", `{"spec":{"containers":[{"name":"a","image":"b"}]}}`},
	{"apiVersion: v1\nkind: PodTemplate\ntemplate: {spec: {containers: [{name: a, image: a}]}}", `{"template":{"spec":{"containers":[{"name":"a","image":"b"}]}}}`},
	{"apiVersion: v1\nkind: ReplicationController\nspec: {replicas: 0, selector: {a: b}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: a}]}}}", `{"spec":{"minReadySeconds":1}}`},
	{"apiVersion: apps/v1\nkind: ControllerRevision\nrevision: 1\ndata: {}", `{"revision":2}`},
	{"apiVersion: apps/v1\nkind: Deployment\nspec: {replicas: 0, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: a}]}}}", `{"spec":{"minReadySeconds":1}}`},
	{"apiVersion: apps/v1\nkind: ReplicaSet\nspec: {replicas: 0, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: a}]}}}", `{"spec":{"minReadySeconds":1}}`},
	{"apiVersion: apps/v1\nkind: StatefulSet\nspec: {replicas: 0, serviceName: a, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: a}]}}}", `{"spec":{"minReadySeconds":1}}`},
	{"apiVersion: apps/v1\nkind: DaemonSet\nspec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {nodeSelector: {no: node}, containers: [{name: a, image: a}]}}}", `{"spec":{"minReadySeconds":1}}`},
	{"apiVersion: batch/v1\nkind: Job\nspec: {suspend: true, template: {spec: {restartPolicy: Never, containers: [{name: a, image: a}]}}}", `{"spec":{"parallelism":2}}`},
	{"apiVersion: batch/v1\nkind: CronJob\nspec: {suspend: true, schedule: '0 0 1 1 *', jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: a}]}}}}}", `{"spec":{"schedule":"0 0 2 2 *"}}`},
	{"apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nspec: {maxReplicas: 2, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: none}}", `{"spec":{"maxReplicas":3}}`},
	{"apiVersion: policy/v1\nkind: PodDisruptionBudget\nspec: {minAvailable: 1}", `{"spec":{"minAvailable":2}}`},
	{"apiVersion: networking.k8s.io/v1\nkind: Ingress\nspec: {defaultBackend: {service: {name: a, port: {number: 80}}}}", `{"spec":{"defaultBackend":{"service":{"name":"b"}}}}`},
	{"apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nspec: {podSelector: {}}", `{"spec":{"podSelector":{"matchLabels":{"a":"b"}}}}`},
	{"apiVersion: networking.k8s.io/v1\nkind: IngressClass\nspec: {controller: example.com/a}", `{"spec":{"parameters":{"kind":"A","name":"a","apiGroup":"example.com","scope":"Cluster"}}}`},
	{"apiVersion: discovery.k8s.io/v1\nkind: EndpointSlice\naddressType: IPv4\nendpoints: [{addresses: [10.0.0.1]}]", `{"endpoints":[{"addresses":["10.0.0.2"]}]}`},
	{"apiVersion: coordination.k8s.io/v1\nkind: Lease\nspec: {holderIdentity: a}", `{"spec":{"holderIdentity":"b"}}`},
	{"apiVersion: events.k8s.io/v1\nkind: Event\neventTime: '2020-01-01T00:00:00.000000Z'\naction: Test\nreason: Tested\ntype: Normal\nreportingController: example.com/a\nreportingInstance: a\nregarding: {kind: Pod, name: p, namespace: NAMESPACE}", `{"series":{"count":2,"lastObservedTime":"2020-01-01T00:00:00.000000Z"}}`},
	{"apiVersion: rbac.authorization.k8s.io/v1\nkind: Role", `{"rules":[{"apiGroups":[""],"resources":["pods"],"verbs":["get"]}]}`},
	{"apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole", `{"rules":[{"apiGroups":[""],"resources":["pods"],"verbs":["get"]}]}`},
	{"apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: a}", `{"subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"a"}]}`},
	{"apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: a}", `{"subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"a"}]}`},
	{"apiVersion: storage.k8s.io/v1\nkind: StorageClass\nprovisioner: example.com/a", `{"allowVolumeExpansion":true}`},
	{"apiVersion: storage.k8s.io/v1\nkind: CSINode\nspec: {drivers: []}", `{"spec":{"drivers":[{"name":"example.com","nodeID":"a","topologyKeys":[]}]}}`},
	{"apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nhandler: a", `{"metadata":{"labels":{"a":"b"}}}`},
	{"apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nwebhooks: []", `{"webhooks":[{"name":"a.example.com","failurePolicy":"Ignore","sideEffects":"None","admissionReviewVersions":["v1"],"clientConfig":{"url":"https://example.com/a"}}]}`},
	{"apiVersion: thing.example.com/v1alpha1\nkind: Thing\nspec: {image: a, port: 80, replicas: 0}", `{"spec":{"image":"b"}}`},
}

// TestWhichKindsHaveNoGeneration edits an object of each kind. That its generation stays as it is must be what the list says.
func TestWhichKindsHaveNoGeneration(t *testing.T) {
	t.Parallel()
	list, err := os.ReadFile(withoutGeneration)
	if err != nil {
		t.Fatal(err)
	}
	listed := strings.Fields(string(list))
	namespace := newNamespace(t)
	var tried []string
	for _, edit := range edits {
		object := new(unstructured.Unstructured)
		text := strings.NewReplacer("NAMESPACE", namespace).Replace(edit.object)
		if err := yaml.Unmarshal([]byte(text), &object.Object); err != nil {
			t.Fatal(err)
		}
		kind := object.GroupVersionKind()
		name := kind.Group + "/" + kind.Kind
		tried = append(tried, name)
		t.Run(kind.Kind, func(t *testing.T) {
			object.SetName(namespace + "-edited") // unique where there are no namespaces
			if namespaced, err := cluster.Client.IsObjectNamespaced(object); err != nil {
				t.Fatal(err)
			} else if namespaced {
				object.SetNamespace(namespace)
			}
			create(t, object)
			t.Cleanup(func() { cluster.Client.Delete(context.Background(), object) })
			before := object.GetGeneration()
			if err := cluster.Client.Patch(t.Context(), object, client.RawPatch(types.MergePatchType, []byte(edit.patch))); err != nil {
				t.Fatal(err)
			}
			stays := object.GetGeneration() == before
			if want := slices.Contains(listed, name); stays != want {
				t.Errorf("generation %d becomes %d; the list says %t", before, object.GetGeneration(), want)
			}
		})
	}
	for _, name := range listed {
		if !slices.Contains(tried, name) {
			t.Errorf("%s is listed, but nothing says how to edit it", name)
		}
	}
}
