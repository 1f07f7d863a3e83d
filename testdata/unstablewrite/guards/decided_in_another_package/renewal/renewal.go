// Package renewal knows when a certificate has to be renewed.
package renewal

import (
	"fmt"
	"strings"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"k8s.io/client-go/util/cert"
)

// Policy says what a certificate has to be like.
type Policy struct{ Hosts []string }

// Reason is empty if the certificate with these annotations may stay.
func (p Policy) Reason(annotations map[string]string) string {
	if reason := expired(annotations, time.Now); len(reason) > 0 {
		return reason
	}
	if hosts := annotations["hosts"]; hosts != strings.Join(p.Hosts, ",") {
		return fmt.Sprintf("the certificate is for %s", hosts)
	}
	return ""
}

func expired(annotations map[string]string, now func() time.Time) string {
	end := annotations["end"]
	if end == "" {
		return "no end"
	}
	t, err := time.Parse(time.RFC3339, end)
	if err != nil {
		return fmt.Sprintf("bad end %q", end)
	}
	if now().After(t) {
		return "expired"
	}
	return ""
}

// Annotate notes what the next Reason looks at.
func (p Policy) Annotate(annotations map[string]string, certPEM []byte) {
	certs, err := cert.ParseCertsPEM(certPEM)
	if err != nil {
		return
	}
	annotations["end"] = certs[0].NotAfter.Format(time.RFC3339)
	annotations["hosts"] = strings.Join(p.Hosts, ",")
}

// Mode is empty if no authority is wished.
func Mode(thing *thingapi.Thing) string {
	if thing.Spec.Paused {
		return ""
	}
	return "own"
}
