// Package resources builds parts of the desired state.
package resources

import (
	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
)

// Volumes returns a volume for each entry of the config, in no particular order.
func Volumes(thing *thingapi.Thing) []corev1.Volume {
	var volumes []corev1.Volume
	for name, secret := range thing.Spec.Config {
		volumes = append(volumes, corev1.Volume{
			Name:         name,
			VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: secret}},
		})
	}
	return volumes
}
