// Package testcluster runs a real Kubernetes control plane for tests and
// scripts what a real cluster would do only by chance: pods that never become
// ready, drains that hang, requests that fail, a manager that is killed.
//
//	func TestMain(m *testing.M) {
//		cluster, err := testcluster.Start(context.Background(), testcluster.Options{CRDs: []string{"../config/crd/bases"}})
//		...
//		code := m.Run()
//		cluster.Stop()
//		os.Exit(code)
//	}
//
// # What runs
//
// envtest starts etcd and kube-apiserver; kube-controller-manager (with the
// controllers of workloads, garbage collection and namespaces) and
// kube-scheduler run beside them; the [Kubelet] is a goroutine of the test. So a
// Deployment becomes ready, rolls out and scales in as it does anywhere, within
// fractions of a second, and no container ever runs.
//
// [Binaries] builds the programs from source when a machine has none yet, which
// takes minutes; KUBEBUILDER_ASSETS names others, if all of them are there. So no
// test has to be skipped for want of a program. All of it is for Linux and macOS.
//
// A test that is killed leaves no process behind if the programs are our own:
// they exit with their parent. The manager exits when it loses its lease.
//
// # What a test does with it
//
//   - [Cluster.Namespace] gives each test a namespace; nobody waits for its end.
//   - [Cluster.User] makes a user without any rights, [Cluster.Apply] applies the
//     manifests that give it some, [Cluster.Bind] binds it to their roles.
//   - [Cluster.ServiceAccount] acts as a service account that manifests have made.
//   - [Cluster.StartManager] runs the operator as a process of its own, to be
//     signalled, killed and waited for.
//   - [AuditLog] tells which requests the API server has answered: from whom,
//     which verb on which object, when. This is the place to count writes.
//   - [Proxy] stands between an operator and the API server and makes one in so
//     many requests fail.
//   - [Kubelet.Script] says how the pods of a namespace behave.
//
// # The drain end point of a pod
//
// A pod scripted with a drain has an address of its own on loopback (127.x.y.z,
// so Linux only), where a real HTTP server listens on the scripted port, under
// every path:
//
//	POST    begin to drain               202
//	GET     how far is it?               200 drained, 202 draining, 404 nobody asked
//	DELETE  withdraw, serve again        204
//
// [Kubelet.Draining] tells which pods were asked and still are, and
// [Kubelet.DrainRequests] who was asked what, and when.
package testcluster
