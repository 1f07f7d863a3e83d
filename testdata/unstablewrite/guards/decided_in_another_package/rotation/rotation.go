// Package rotation decides when certificates are renewed.
package rotation

import (
	"time"

	"k8s.io/client-go/util/cert"
)

// Due says whether the certificate ends within a month, or is none.
func Due(certPEM []byte) bool {
	certs, err := cert.ParseCertsPEM(certPEM)
	if err != nil || len(certs) == 0 {
		return true
	}
	return time.Now().Add(30 * 24 * time.Hour).After(certs[0].NotAfter)
}
