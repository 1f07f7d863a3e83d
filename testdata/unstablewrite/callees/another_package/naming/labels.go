// Package naming has names and labels that all outputs share.
package naming

import (
	"strconv"
	"time"
)

// Labels returns the labels of what belongs to the Thing of that name.
func Labels(name string) map[string]string {
	labels := map[string]string{"app.kubernetes.io/name": name}
	labels["things.example.com/revision"] = revision()
	return labels
}

func revision() string {
	return strconv.FormatInt(time.Now().Unix(), 10)
}
