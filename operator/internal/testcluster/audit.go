package testcluster

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"time"
)

// auditPolicy logs every request that somebody might count. The reads of the
// administrators, which are the control plane itself and the tests, are nobody's
// concern.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: None
  userGroups: ["system:masters"]
  verbs: [get, list, watch]
- level: None
  users: ["system:apiserver"]
- level: Metadata
`

// Request is a request that the API server has answered.
type Request struct {
	User, Agent                  string
	Verb                         string // get, list, watch, create, update, patch, delete, deletecollection
	Group, Resource, Subresource string
	Namespace, Name              string
	Selector                     string // the label selector of a list or watch
	Code                         int    // of the answer, as HTTP counts
	Denied                       bool   // by the authorizer; a 403 has other reasons too, such as the end of a namespace
	Received, Answered           time.Time
}

// String is for a test's message.
func (r Request) String() string {
	resource := r.Resource
	if r.Subresource != "" {
		resource += "/" + r.Subresource
	}
	return fmt.Sprintf("%s %s %s %s/%s: %d", r.User, r.Verb, resource, r.Namespace, r.Name, r.Code)
}

// AuditLog is what the API server says about the requests that it answers.
// A request is in it a moment after its caller has the answer.
type AuditLog struct {
	path string
}

// Mark is a place in the log: every request in a line that begins before it is
// over.
type Mark int64

// Mark returns the end of the log.
func (l *AuditLog) Mark() (Mark, error) {
	info, err := os.Stat(l.path)
	if err != nil {
		return 0, err
	}
	return Mark(info.Size()), nil
}

// Since returns the requests that came after the mark and that all of the
// conditions hold for, in the order of their answers.
func (l *AuditLog) Since(mark Mark, conditions ...func(Request) bool) ([]Request, error) {
	file, err := os.Open(l.path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if _, err := file.Seek(max(0, int64(mark)-1), io.SeekStart); err != nil {
		return nil, err
	}
	content, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	if mark > 0 {
		// A line may have been half written at the mark.
		_, content, _ = bytes.Cut(content, []byte("\n"))
	}
	var requests []Request
	for line := range bytes.Lines(content) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break // being written
		}
		var event auditEvent
		if err := json.Unmarshal(line, &event); err != nil {
			return nil, fmt.Errorf("%s: %w", l.path, err)
		}
		if event.Stage == "ResponseStarted" {
			continue // a watch, which is logged again when it ends
		}
		request := event.request()
		if !slices.ContainsFunc(conditions, func(holds func(Request) bool) bool { return !holds(request) }) {
			requests = append(requests, request)
		}
	}
	return requests, nil
}

// auditEvent is what we read of audit.k8s.io/v1's Event.
type auditEvent struct {
	Stage      string
	Verb       string
	UserAgent  string
	RequestURI string
	User       struct{ Username string }
	ObjectRef  struct{ APIGroup, Resource, Subresource, Namespace, Name string }

	Annotations              map[string]string
	ResponseStatus           struct{ Code int }
	RequestReceivedTimestamp time.Time
	StageTimestamp           time.Time
}

func (e auditEvent) request() Request {
	selector := ""
	if uri, err := url.Parse(e.RequestURI); err == nil { // the API server has understood it
		selector = uri.Query().Get("labelSelector")
	}
	return Request{
		User: e.User.Username, Agent: e.UserAgent, Verb: e.Verb,
		Group: e.ObjectRef.APIGroup, Resource: e.ObjectRef.Resource, Subresource: e.ObjectRef.Subresource,
		Namespace: e.ObjectRef.Namespace, Name: e.ObjectRef.Name, Selector: selector,
		Code: e.ResponseStatus.Code, Denied: e.Annotations["authorization.k8s.io/decision"] == "forbid",
		Received: e.RequestReceivedTimestamp, Answered: e.StageTimestamp,
	}
}

// By holds for the requests of a user.
func By(user string) func(Request) bool {
	return func(r Request) bool { return r.User == user }
}

// On holds for the requests about a resource ("deployments").
func On(resource string) func(Request) bool {
	return func(r Request) bool { return r.Resource == resource }
}

// In holds for the requests in a namespace.
func In(namespace string) func(Request) bool {
	return func(r Request) bool { return r.Namespace == namespace }
}

// Write holds for requests that ask for a change, refused ones too.
func Write(r Request) bool {
	switch r.Verb {
	case "create", "update", "patch", "delete", "deletecollection":
		return true
	}
	return false
}

// Not holds where condition does not.
func Not(condition func(Request) bool) func(Request) bool {
	return func(r Request) bool { return !condition(r) }
}

// Count counts requests by verb and resource, such as "patch deployments".
func Count(requests []Request) map[string]int {
	counts := map[string]int{}
	for _, r := range requests {
		kind := r.Resource
		if r.Subresource != "" {
			kind += "/" + r.Subresource
		}
		counts[r.Verb+" "+kind]++
	}
	return counts
}
