// Package manager gets contexts and clients, or keeps them in structs.
package manager

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Base is part of several managers.
type Base struct {
	client.Client
}

// Addresses copies the addresses of pods in the order of the cache.
type Addresses struct {
	Ctx     context.Context
	Client  client.Client
	Service *corev1.Service
}

// Step lists the pods and updates the service.
func (m *Addresses) Step() error {
	var pods corev1.PodList
	if err := m.Client.List(m.Ctx, &pods); err != nil { // want "unstablewrite: list order reaches Service spec.externalIPs in Update .*; each write differs from the one before"
		return err
	}
	m.Service.Spec.ExternalIPs = addresses(pods.Items)
	return m.Client.Update(m.Ctx, m.Service)
}

// SortedAddresses sorts them.
type SortedAddresses struct {
	Base
	Service *corev1.Service
}

// Step lists the pods and updates the service.
func (m *SortedAddresses) Step() error {
	var pods corev1.PodList
	if err := m.List(context.TODO(), &pods); err != nil {
		return err
	}
	m.Service.Spec.ExternalIPs = addresses(pods.Items)
	slices.Sort(m.Service.Spec.ExternalIPs)
	return m.Update(context.TODO(), m.Service)
}

// Names labels the service with the names of maps.
type Names struct {
	Base
	Service *corev1.Service
}

// Step updates the service.
func (m *Names) Step(names map[string]bool) error {
	var ips []string
	for name := range names { // want "unstablewrite: map order reaches Service spec.externalIPs in Update"
		ips = append(ips, name)
	}
	m.Service.Spec.ExternalIPs = ips
	return m.Update(context.TODO(), m.Service)
}

// Label gets the client of its caller.
func Label(svc *corev1.Service, names map[string]bool, c client.Client) error {
	svc.Spec.ExternalIPs = nil
	for name := range names { // want "unstablewrite: map order reaches Service spec.externalIPs in Update .*; each write differs from the one before"
		svc.Spec.ExternalIPs = append(svc.Spec.ExternalIPs, name)
	}
	return c.Update(context.TODO(), svc)
}

// LabelInOrder sorts the names.
func LabelInOrder(svc *corev1.Service, names map[string]bool, c client.Client) error {
	svc.Spec.ExternalIPs = nil
	for name := range names {
		svc.Spec.ExternalIPs = append(svc.Spec.ExternalIPs, name)
	}
	slices.Sort(svc.Spec.ExternalIPs)
	return c.Update(context.TODO(), svc)
}

// Migrate makes a client of its own: nothing shows that an operator calls it more
// than once.
func Migrate(config *rest.Config, svc *corev1.Service, names map[string]bool) error {
	c, err := client.New(config, client.Options{})
	if err != nil {
		return err
	}
	svc.Spec.ExternalIPs = nil
	for name := range names {
		svc.Spec.ExternalIPs = append(svc.Spec.ExternalIPs, name)
	}
	return c.Update(context.TODO(), svc)
}

func addresses(pods []corev1.Pod) []string {
	var ips []string
	for _, pod := range pods {
		ips = append(ips, pod.Status.PodIP)
	}
	return ips
}
