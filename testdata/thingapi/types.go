package thingapi

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Thing is what the fixtures' controllers reconcile.
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ThingSpec   `json:"spec,omitempty"`
	Status ThingStatus `json:"status,omitempty"`
}

// ThingSpec is the wish of the user.
type ThingSpec struct {
	Image     string            `json:"image,omitempty"`
	Replicas  *int32            `json:"replicas,omitempty"`
	Port      int32             `json:"port,omitempty"`
	Paused    bool              `json:"paused,omitempty"`
	Config    map[string]string `json:"config,omitempty"`
	Labels    map[string]string `json:"labels,omitempty"`
	Hosts     []string          `json:"hosts,omitempty"`
	SecretRef string            `json:"secretRef,omitempty"`
	TargetRef string            `json:"targetRef,omitempty"`
}

// ThingStatus is what the controller saw last.
type ThingStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Phase              string             `json:"phase,omitempty"`
	Hash               string             `json:"hash,omitempty"`
	ReadyReplicas      int32              `json:"readyReplicas,omitempty"`
	Members            []string           `json:"members,omitempty"`
	LastSync           *metav1.Time       `json:"lastSync,omitempty"`
	Done               *bool              `json:"done,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

// IsDone reports whether what a Thing is for was done.
func (t *Thing) IsDone() bool { return t.Status.Done != nil && *t.Status.Done }

// ThingList is a list of Things.
type ThingList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Thing `json:"items"`
}

// Part is a piece of a Thing with a life of its own.
type Part struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   PartSpec   `json:"spec,omitempty"`
	Status PartStatus `json:"status,omitempty"`
}

// PartSpec is the wish of whoever created the Part.
type PartSpec struct {
	ThingName string            `json:"thingName,omitempty"`
	Size      int32             `json:"size,omitempty"`
	Settings  map[string]string `json:"settings,omitempty"`
}

// PartStatus is what the Part's controller saw last.
type PartStatus struct {
	Ready      bool               `json:"ready,omitempty"`
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// IsReady reports whether the Part was ready when its controller saw it last.
func (p *Part) IsReady() bool { return p.Status.Ready }

// PartList is a list of Parts.
type PartList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Part `json:"items"`
}
