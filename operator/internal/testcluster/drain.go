package testcluster

import (
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Drain says how a pod's drain end point behaves.
type Drain struct {
	// Port is where it listens; without one there is none.
	Port int32
	// Takes is how long it takes to drain, once asked.
	Takes time.Duration
	// Never lets the drain begin and not end.
	Never bool
	// Refuse answers every request with 503.
	Refuse bool
	// Hang answers no request.
	Hang bool
}

// DrainRequest is a request that a drain end point has got.
type DrainRequest struct {
	Namespace, Pod string
	Method         string
	Time           time.Time
}

// Draining returns the names of the namespace's pods that were asked to drain,
// that nobody told otherwise since, and that are not gone.
func (k *Kubelet) Draining(namespace string) []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	var names []string
	for _, running := range k.running {
		if running.pod.Namespace == namespace && running.drain != nil && !running.drain.begun().IsZero() {
			names = append(names, running.pod.Name)
		}
	}
	slices.Sort(names)
	return names
}

// DrainRequests returns the requests to the namespace's drain end points, in
// their order.
func (k *Kubelet) DrainRequests(namespace string) []DrainRequest {
	k.mu.Lock()
	defer k.mu.Unlock()
	var requests []DrainRequest
	for _, request := range k.drains {
		if request.Namespace == namespace {
			requests = append(requests, request)
		}
	}
	return requests
}

// drainServer is the drain end point of a pod.
type drainServer struct {
	kubelet *Kubelet
	pod     *corev1.Pod
	ip      string
	server  *http.Server

	mu    sync.Mutex
	since time.Time // zero while nobody wants it to drain
}

// Loopback draws one of loopback's addresses: 127.x.y.z, but not 127.0.0.1, which
// is where clients connect from. Each of their connections takes a port of it,
// where nobody can listen then. Only Linux has others than 127.0.0.1.
func Loopback() string {
	if runtime.GOOS != "linux" {
		return "127.0.0.1"
	}
	return fmt.Sprintf("127.%d.%d.%d", 1+rand.IntN(254), rand.IntN(256), 1+rand.IntN(254))
}

// startDrainServer listens on an address of the pod's own. Other tests of the
// machine use loopback's addresses too, so one is drawn until it is free.
func (k *Kubelet) startDrainServer(pod *corev1.Pod, port int32) (*drainServer, error) {
	var err error
	for range 100 {
		ip := Loopback()
		var listener net.Listener
		if listener, err = net.Listen("tcp", net.JoinHostPort(ip, strconv.Itoa(int(port)))); err != nil {
			continue
		}
		s := &drainServer{kubelet: k, pod: pod, ip: ip}
		s.server = &http.Server{Handler: s}
		go s.server.Serve(listener)
		return s, nil
	}
	return nil, err
}

func (s *drainServer) stop() {
	s.server.Close()
}

// begun tells since when the pod is draining.
func (s *drainServer) begun() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.since
}

// ServeHTTP implements http.Handler.
func (s *drainServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.kubelet.record(DrainRequest{Namespace: s.pod.Namespace, Pod: s.pod.Name, Method: r.Method, Time: time.Now()})
	script := s.kubelet.behaviour(s.pod).Drain
	switch {
	case script.Hang:
		<-r.Context().Done()
	case script.Refuse:
		w.WriteHeader(http.StatusServiceUnavailable)
	default:
		w.WriteHeader(s.answer(r.Method, script))
	}
}

func (s *drainServer) answer(method string, script Drain) (code int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch method {
	case http.MethodPost:
		if s.since.IsZero() {
			s.since = time.Now()
		}
		return http.StatusAccepted
	case http.MethodDelete:
		s.since = time.Time{}
		return http.StatusNoContent
	case http.MethodGet:
		switch {
		case s.since.IsZero():
			return http.StatusNotFound
		case script.Never || time.Since(s.since) < script.Takes:
			return http.StatusAccepted
		}
		return http.StatusOK
	}
	return http.StatusMethodNotAllowed
}

func (k *Kubelet) record(request DrainRequest) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.drains = append(k.drains, request)
}
