package controller

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
)

// Server-side apply makes single fields ours. Some parts of an output are ours as a whole: what somebody adds to them
// changes what our fields mean. Each function here takes such additions off an object, and reports whether there were any.
//
// These parts are the data of the ConfigMap, which is mounted as it is; the ports of the Service and where else it can be
// reached; and what our container runs and sees. All else is left to others: annotations and labels, further containers
// and volumes, resources, where pods are scheduled. This keeps mistakes from lasting. It is no protection from an attacker:
// who may change a Deployment may as well make one.

func stripConfigMap(configMap *corev1.ConfigMap) bool {
	before := configMap.DeepCopy()
	configMap.BinaryData = nil
	for key := range configMap.Data {
		if key != configFile {
			delete(configMap.Data, key)
		}
	}
	return !equality.Semantic.DeepEqual(before, configMap)
}

// stripService sets all ports to ours if there are others. A port that somebody has changed stays theirs under server-side
// apply, and beside it ours would be refused.
func stripService(service *corev1.Service, desired *corev1ac.ServiceApplyConfiguration) bool {
	before := service.DeepCopy()
	service.Spec.ExternalIPs = nil
	service.Spec.PublishNotReadyAddresses = false
	var ours []corev1.ServicePort
	for _, port := range desired.Spec.Ports {
		ours = append(ours, corev1.ServicePort{Port: *port.Port, Protocol: *port.Protocol, TargetPort: *port.TargetPort})
	}
	if slices.ContainsFunc(service.Spec.Ports, func(live corev1.ServicePort) bool {
		return !slices.ContainsFunc(ours, func(our corev1.ServicePort) bool { return our.Port == live.Port && our.Protocol == live.Protocol })
	}) {
		service.Spec.Ports = ours
	}
	return !equality.Semantic.DeepEqual(before, service)
}

func stripDeployment(deployment *appsv1.Deployment) bool {
	containers := deployment.Spec.Template.Spec.Containers
	ours := slices.IndexFunc(containers, func(c corev1.Container) bool { return c.Name == containerName })
	if ours < 0 {
		return false
	}
	before := containers[ours]
	containers[ours] = corev1.Container{
		Name:            before.Name,
		Image:           before.Image,
		Ports:           before.Ports,
		ReadinessProbe:  before.ReadinessProbe,
		VolumeMounts:    slices.DeleteFunc(slices.Clone(before.VolumeMounts), func(m corev1.VolumeMount) bool { return m.MountPath != configMountPath }),
		SecurityContext: stripSecurityContext(before.SecurityContext),

		// For others to set.
		Resources:                before.Resources,
		ResizePolicy:             before.ResizePolicy,
		ImagePullPolicy:          before.ImagePullPolicy,
		TerminationMessagePath:   before.TerminationMessagePath,
		TerminationMessagePolicy: before.TerminationMessagePolicy,
	}
	return !equality.Semantic.DeepEqual(before, containers[ours])
}

// stripSecurityContext takes off what gives a container more rights; others may restrict it further.
func stripSecurityContext(before *corev1.SecurityContext) *corev1.SecurityContext {
	if before == nil {
		return nil
	}
	after := before.DeepCopy()
	after.Privileged = nil
	after.ProcMount = nil
	if after.Capabilities != nil {
		after.Capabilities.Add = nil
	}
	return after
}
