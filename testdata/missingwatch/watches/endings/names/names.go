// Package names makes the names of Secrets of Things.
package names

import (
	"fmt"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const trustSuffix = "-trust"

// Key returns the name of the Secret with the key of a Thing.
func Key(thing *thingapi.Thing) string { return thing.Name + "-key" }

// Trust returns the name of the Secret that a Thing trusts.
func Trust(thing *thingapi.Thing) string {
	if thing.Spec.SecretRef != "" {
		return thing.Spec.SecretRef
	}
	return fmt.Sprintf("%v%v", thing.Name, trustSuffix)
}

// Any returns a name that may end in anything.
func Any(thing *thingapi.Thing) string {
	if thing.Annotations["short"] != "" {
		return thing.Name
	}
	return thing.Name + trustSuffix
}

// Secret returns the Secret with a name.
func Secret(key client.ObjectKey) *corev1.Secret {
	return &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name}}
}
