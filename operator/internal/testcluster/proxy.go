package testcluster

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// Fault is a way in which a request goes wrong.
type Fault string

const (
	Conflict        Fault = "409"         // somebody else was faster; for writes
	TooManyRequests Fault = "429"         // try again in a second
	ServerError     Fault = "500"         // no word about trying again
	Timeout         Fault = "timeout"     // a long silence, then 504
	Cut             Fault = "cut"         // the connection ends before the request is looked at
	LostAnswer      Fault = "lost answer" // the request is done, then the connection ends; for writes
)

// AllFaults are all of them.
var AllFaults = []Fault{Conflict, TooManyRequests, ServerError, Timeout, Cut, LostAnswer}

// Faults say which requests go wrong, and how.
type Faults struct {
	// OneIn is the share: each request goes wrong with probability 1/OneIn.
	// Zero lets all pass.
	OneIn int
	// Kinds are the faults to draw from.
	Kinds []Fault
	// Silence is how long a Timeout takes.
	Silence time.Duration
	// Seed makes the draws the same each time.
	Seed uint64
}

// Proxy passes requests on to the API server, or not. Its clients speak plain
// HTTP to it and act as the user in whose name it was started.
type Proxy struct {
	server *http.Server
	config *rest.Config
	next   *httputil.ReverseProxy

	mu       sync.Mutex
	faults   Faults
	draw     *rand.Rand
	injected map[Fault]int
}

// StartProxy starts a proxy that makes no faults yet.
func StartProxy(user *rest.Config) (*Proxy, error) {
	target, err := url.Parse(user.Host)
	if err != nil {
		return nil, err
	}
	transport, err := rest.TransportFor(user)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{
		config:   &rest.Config{Host: "http://" + listener.Addr().String(), QPS: -1},
		injected: map[Fault]int{},
		next: &httputil.ReverseProxy{
			Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(target) },
			Transport:     transport,
			FlushInterval: -1, // a watch's events are not to be collected
			ErrorHandler: func(http.ResponseWriter, *http.Request, error) {
				panic(http.ErrAbortHandler) // the API server's end is ours
			},
		},
	}
	p.server = &http.Server{Handler: p}
	go p.server.Serve(listener)
	return p, nil
}

// Config is how to reach the API server through the proxy.
func (p *Proxy) Config() *rest.Config {
	return rest.CopyConfig(p.config)
}

// Inject makes requests fail from now on, and starts counting anew.
func (p *Proxy) Inject(faults Faults) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = faults
	p.draw = rand.New(rand.NewPCG(faults.Seed, 0))
	p.injected = map[Fault]int{}
}

// Injected tells how many requests went wrong since Inject, by fault.
func (p *Proxy) Injected() map[Fault]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.injected)
}

// Stop ends the proxy and every connection through it.
func (p *Proxy) Stop() {
	p.server.Close()
}

// ServeHTTP implements http.Handler.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	fault, silence := p.drawFault(r.Method)
	switch fault {
	case "":
		p.next.ServeHTTP(w, r)
	case Conflict:
		refuse(w, http.StatusConflict, metav1.StatusReasonConflict)
	case TooManyRequests:
		w.Header().Set("Retry-After", "1")
		refuse(w, http.StatusTooManyRequests, metav1.StatusReasonTooManyRequests)
	case ServerError:
		refuse(w, http.StatusInternalServerError, metav1.StatusReasonInternalError)
	case Timeout:
		select {
		case <-time.After(silence):
			refuse(w, http.StatusGatewayTimeout, metav1.StatusReasonTimeout)
		case <-r.Context().Done():
		}
	case LostAnswer:
		p.next.ServeHTTP(httptest.NewRecorder(), r)
		panic(http.ErrAbortHandler)
	case Cut:
		panic(http.ErrAbortHandler)
	default:
		panic(fmt.Sprintf("testcluster: unknown fault %q", fault))
	}
}

// drawFault decides about a request.
func (p *Proxy) drawFault(method string) (Fault, time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.faults.OneIn == 0 || p.draw.IntN(p.faults.OneIn) != 0 {
		return "", 0
	}
	var kinds []Fault
	for _, kind := range p.faults.Kinds {
		if method == http.MethodGet && (kind == Conflict || kind == LostAnswer) {
			continue
		}
		kinds = append(kinds, kind)
	}
	if len(kinds) == 0 {
		return "", 0
	}
	fault := kinds[p.draw.IntN(len(kinds))]
	p.injected[fault]++
	return fault, p.faults.Silence
}

// refuse answers as the API server does.
func refuse(w http.ResponseWriter, code int, reason metav1.StatusReason) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(metav1.Status{ // the client may be gone
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"},
		Status:   metav1.StatusFailure,
		Code:     int32(code),
		Reason:   reason,
		Message:  "injected by the test",
	})
}
