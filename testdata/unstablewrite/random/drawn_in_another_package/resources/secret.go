// Package resources builds the desired state.
package resources

import (
	"math/rand"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// CookieSecret returns the Secret by which the nodes of thing know each other.
func CookieSecret(thing *thingapi.Thing) *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-cookie", Namespace: thing.Namespace},
		Data:       map[string][]byte{".cookie": cookie(20)},
	}
}

func cookie(n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = letters[rand.Intn(len(letters))]
	}
	return out
}
