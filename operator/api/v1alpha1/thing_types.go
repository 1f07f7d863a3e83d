package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ThingSpec is what the user wants.
//
// +kubebuilder:validation:XValidation:rule="!has(oldSelf.replicas) || has(self.replicas)",message="replicas cannot be unset again: the Deployment would fall back to one replica"
type ThingSpec struct {
	// image is the container image to run.
	//
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:XValidation:rule="self.matches('^[^\\\\s]+$')",message="image must not contain white space"
	// +required
	Image string `json:"image,omitempty"`

	// replicas is the number of pods. Leave it out to leave the Deployment's size to others,
	// such as a HorizontalPodAutoscaler of the Deployment; then scale-in does not drain.
	//
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000
	// +optional
	Replicas *int32 `json:"replicas,omitempty"`

	// port is where the container listens; the Service offers the same port.
	//
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	// +kubebuilder:default=8080
	// +optional
	Port int32 `json:"port,omitempty"`

	// config is rendered into the file /etc/thing/thing.conf, one "key=value" per line, sorted by
	// key. A change rolls the pods.
	//
	// +kubebuilder:validation:MaxProperties=128
	// +kubebuilder:validation:XValidation:rule="self.all(key, key.matches('^[A-Za-z_][A-Za-z0-9_.-]*$'))",message="a config key begins with a letter or underscore and consists of letters, digits, '_', '.' and '-'"
	// +kubebuilder:validation:XValidation:rule="self.all(key, !self[key].contains('\\n'))",message="a config value must be a single line"
	// +optional
	Config map[string]ConfigValue `json:"config,omitempty"`

	// paused keeps the operator from changing anything: outputs are not repaired, and a new spec has
	// no effect until it is false again. The status goes on telling what is there. Pods that drain
	// are left as they are; their time goes on.
	//
	// +optional
	Paused bool `json:"paused,omitempty"`

	// drain says how a pod is drained before it is scaled in. Without it, scale-in does not wait.
	// What a rollout replaces is not drained, and a scale-in waits until a rollout has ended.
	//
	// +optional
	Drain *DrainSpec `json:"drain,omitempty"`
}

// ConfigValue is one value of a Thing's configuration file.
//
// +kubebuilder:validation:MaxLength=4096
type ConfigValue string

// DrainSpec names the HTTP end point by which a pod is drained: POST asks the pod to drain, and may
// come again; GET answers 200 once it has drained, 202 until then and 404 if nobody has asked;
// DELETE withdraws the request.
type DrainSpec struct {
	// path is the path of the end point.
	//
	// +kubebuilder:validation:MaxLength=256
	// +kubebuilder:validation:XValidation:rule="self.matches('^/[A-Za-z0-9._~/-]*$')",message="path must begin with '/' and consist of letters, digits and '._~/-'"
	// +kubebuilder:default="/drain"
	// +optional
	Path string `json:"path,omitempty"`

	// port is the port of the end point; by default it is spec.port.
	//
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	// +optional
	Port int32 `json:"port,omitempty"`

	// timeout bounds the wait: pods that have not drained by then are scaled in all the same. It
	// counts from when a pod was asked first; nothing starts it anew while the pod is to go.
	//
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="self.matches('^([0-9]+(ms|s|m|h))+$') && duration(self) >= duration('1s') && duration(self) <= duration('1h')",message="timeout must be a duration such as 90s or 1m30s, between 1s and 1h"
	// +kubebuilder:default="1m"
	// +optional
	Timeout *metav1.Duration `json:"timeout,omitempty"`
}

// ThingStatus is what the controller has seen and done.
type ThingStatus struct {
	// observedGeneration is the generation of the spec that this status speaks about.
	//
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// specHash is the hash of the rendered outputs that are in place. It changes only when what
	// is rendered changes.
	//
	// +optional
	SpecHash string `json:"specHash,omitempty"`

	// replicas is the number of pods that exist.
	//
	// +optional
	Replicas int32 `json:"replicas"`

	// readyReplicas is the number of pods that are ready.
	//
	// +optional
	ReadyReplicas int32 `json:"readyReplicas"`

	// selector selects the pods, in the form that the scale subresource wants.
	//
	// +optional
	Selector string `json:"selector,omitempty"`

	// draining tells of a scale-in that waits for pods to drain.
	//
	// +optional
	Draining *DrainingStatus `json:"draining,omitempty"`

	// conditions are Ready, Reconciling and Stalled; kstatus understands them.
	//
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// DrainingStatus is a scale-in that waits for pods to drain.
type DrainingStatus struct {
	// pods are the names of the pods that drain, sorted.
	//
	// +listType=set
	// +optional
	Pods []string `json:"pods,omitempty"`

	// sinceGeneration is the generation of the spec that asked for the scale-in.
	//
	// +optional
	SinceGeneration int64 `json:"sinceGeneration,omitempty"`

	// until is when pods that have not drained are scaled in all the same.
	//
	// +optional
	Until *metav1.Time `json:"until,omitempty"`
}

// The types of condition.
const (
	// ConditionReady is true while all pods run the current spec and are available.
	ConditionReady = "Ready"
	// ConditionReconciling is true while the outputs or the pods are on their way to the spec.
	ConditionReconciling = "Reconciling"
	// ConditionStalled is true while something stands in the way that does not go away by itself.
	ConditionStalled = "Stalled"
)

// The reasons of conditions.
const (
	// ReasonAvailable says that the spec is in place and its pods are available.
	ReasonAvailable = "Available"
	// ReasonAsExpected says that nothing stands in the way.
	ReasonAsExpected = "AsExpected"
	// ReasonRollingOut says that the Deployment's pods are being created or replaced.
	ReasonRollingOut = "RollingOut"
	// ReasonDraining says that pods drain before they are scaled in.
	ReasonDraining = "Draining"
	// ReasonRefused says that the API server refuses an output.
	ReasonRefused = "Refused"
	// ReasonNameTaken says that an object of an output's name exists that is not the Thing's.
	ReasonNameTaken = "NameTaken"
	// ReasonRolloutStuck says that the Deployment has not progressed within its deadline.
	ReasonRolloutStuck = "RolloutStuck"
	// ReasonPaused says that the operator is told to change nothing.
	ReasonPaused = "Paused"
	// ReasonRetrying says that the last attempt failed and is being repeated.
	ReasonRetrying = "Retrying"
)

// Thing runs an image as a Deployment with a configuration file and a Service.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Namespaced
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector
// +kubebuilder:printcolumn:name="Image",type=string,JSONPath=`.spec.image`
// +kubebuilder:printcolumn:name="Desired",type=integer,JSONPath=`.spec.replicas`
// +kubebuilder:printcolumn:name="Ready",type=integer,JSONPath=`.status.readyReplicas`
// +kubebuilder:printcolumn:name="Status",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`
// +kubebuilder:printcolumn:name="Stalled",type=string,JSONPath=`.status.conditions[?(@.type=="Stalled")].status`,priority=1
// +kubebuilder:printcolumn:name="Draining",type=string,JSONPath=`.status.draining.pods`,priority=1
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:validation:XValidation:rule="self.metadata.name.matches('^[a-z]([-a-z0-9]{0,50}[a-z0-9])?$')",message="metadata.name must be a DNS label of at most 52 characters that begins with a letter: the Thing's Service and pods are named after it"
type Thing struct {
	metav1.TypeMeta `json:",inline"`

	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +required
	Spec ThingSpec `json:"spec"`

	// +optional
	Status ThingStatus `json:"status,omitempty"`
}

// ThingList is a list of Things.
//
// +kubebuilder:object:root=true
type ThingList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Thing `json:"items"`
}
