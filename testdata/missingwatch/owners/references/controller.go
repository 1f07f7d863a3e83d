// Package fixture sets owner references, of the right kind or not.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// OwnerSetInTheMutateFunctionWakesOwns sets the controller reference inside the
// mutate functions of CreateOrUpdate and CreateOrPatch.
type OwnerSetInTheMutateFunctionWakesOwns struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *OwnerSetInTheMutateFunctionWakesOwns) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, service, func() error {
		service.Spec.Selector = map[string]string{"thing": thing.Name}
		service.Spec.Ports = []corev1.ServicePort{{Name: "http", Port: thing.Spec.Port}}
		return controllerutil.SetControllerReference(thing, service, r.Scheme)
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err = ctrl.CreateOrPatch(ctx, r.Client, secret, func() error {
		secret.Data = map[string][]byte{"host": []byte(service.Name)}
		return ctrl.SetControllerReference(thing, secret, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *OwnerSetInTheMutateFunctionWakesOwns) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Owns(&corev1.Secret{}).
		Complete(r)
}

// OwnerSetUnderAConditionMayWakeOwns sets the controller reference only where
// owner and object share a namespace, so that it is not certain that none is
// set.
type OwnerSetUnderAConditionMayWakeOwns struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *OwnerSetUnderAConditionMayWakeOwns) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	config := newConfigMap(thing)
	if target := thing.Spec.TargetRef; target != "" {
		config.Namespace = target
	}
	if config.Namespace == thing.Namespace {
		if err := controllerutil.SetControllerReference(thing, config, r.Scheme); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, config))
}

func (r *OwnerSetUnderAConditionMayWakeOwns) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Complete(r)
}

// OneOfTwoWritesSetsTheControllerReference controls the ConfigMap that it
// creates. The second write of the kind only touches what a user made, so Owns
// has something to see.
type OneOfTwoWritesSetsTheControllerReference struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *OneOfTwoWritesSetsTheControllerReference) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	config := newConfigMap(thing)
	if err := controllerutil.SetControllerReference(thing, config, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	if err := client.IgnoreAlreadyExists(r.Create(ctx, config)); err != nil {
		return ctrl.Result{}, err
	}
	shared := &corev1.ConfigMap{}
	if err := r.Get(ctx, client.ObjectKey{Namespace: thing.Namespace, Name: thing.Spec.TargetRef}, shared); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	before := shared.DeepCopy()
	if shared.Annotations == nil {
		shared.Annotations = map[string]string{}
	}
	shared.Annotations["things.example.com/used-by"] = thing.Name
	return ctrl.Result{}, r.Patch(ctx, shared, client.MergeFrom(before))
}

func (r *OneOfTwoWritesSetsTheControllerReference) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Complete(r)
}

// OwnsWithoutControllerReferenceNeverFires owns ConfigMaps and creates them
// without any owner reference, so that no event of a ConfigMap is ever mapped
// to a Thing.
type OwnsWithoutControllerReferenceNeverFires struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *OwnsWithoutControllerReferenceNeverFires) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	config := newConfigMap(thing)
	err := r.Create(ctx, config) // want "missingwatch: .*ConfigMap.*controller reference"
	if apierrors.IsAlreadyExists(err) {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, err
}

func (r *OwnsWithoutControllerReferenceNeverFires) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Complete(r)
}

// PlainOwnerReferenceDoesNotWakeOwns sets an owner reference where a controller
// reference is needed: the Secret is collected with the Thing, but Owns never
// maps it.
type PlainOwnerReferenceDoesNotWakeOwns struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *PlainOwnerReferenceDoesNotWakeOwns) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	secret := newSecret(thing)
	if err := controllerutil.SetOwnerReference(thing, secret, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.Create(ctx, secret); err != nil { // want "missingwatch: .*Secret.*controller reference"
		return ctrl.Result{}, client.IgnoreAlreadyExists(err)
	}
	return ctrl.Result{}, nil
}

func newSecret(thing *thingapi.Thing) *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-credentials", Namespace: thing.Namespace},
		StringData: map[string]string{"user": thing.Name},
	}
}

func (r *PlainOwnerReferenceDoesNotWakeOwns) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Secret{}).
		Complete(r)
}

// PlainOwnerReferenceInAMutateFunction sets the wrong kind of owner reference
// inside the mutate function.
type PlainOwnerReferenceInAMutateFunction struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *PlainOwnerReferenceInAMutateFunction) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, service, func() error { // want "missingwatch: .*Service.*controller reference"
		service.Spec.Ports = []corev1.ServicePort{{Name: "http", Port: thing.Spec.Port}}
		return controllerutil.SetOwnerReference(thing, service, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *PlainOwnerReferenceInAMutateFunction) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Complete(r)
}

func newConfigMap(thing *thingapi.Thing) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-config", Namespace: thing.Namespace},
		Data:       thing.Spec.Config,
	}
}

// OneOfTwoGetsNoReference makes two Secrets and is woken by one of them.
type OneOfTwoGetsNoReference struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *OneOfTwoGetsNoReference) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	owned := newSecret(thing)
	if err := controllerutil.SetControllerReference(thing, owned, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	if err := client.IgnoreAlreadyExists(r.Create(ctx, owned)); err != nil {
		return ctrl.Result{}, err
	}

	token := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-token", Namespace: thing.Namespace}}
	if err := client.IgnoreAlreadyExists(r.Create(ctx, token)); err != nil { // want "missingwatch: .*Secret.*controller reference"
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.relabel(ctx, thing)
}

// relabel changes Secrets that exist. It adds no reference to any of them.
func (r *OneOfTwoGetsNoReference) relabel(ctx context.Context, thing *thingapi.Thing) error {
	secrets := &corev1.SecretList{}
	if err := r.List(ctx, secrets, client.InNamespace(thing.Namespace)); err != nil {
		return err
	}
	for i := range secrets.Items {
		changed := secrets.Items[i].DeepCopy()
		changed.Labels = map[string]string{"thing": thing.Name}
		if err := r.Update(ctx, changed); err != nil {
			return err
		}
	}
	return nil
}

func (r *OneOfTwoGetsNoReference) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Owns(&corev1.Secret{}).Complete(r)
}

// OneOfTwoIsShared makes a Secret and a claim for each Thing, and a Secret and a claim
// that have no owner on purpose: the Secret is for all Things, and the claim keeps
// its data when the Thing is gone.
type OneOfTwoIsShared struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *OneOfTwoIsShared) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	owned := newSecret(thing)
	scratch := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-scratch", Namespace: thing.Namespace}}
	for _, obj := range []client.Object{owned, scratch} {
		if err := controllerutil.SetControllerReference(thing, obj, r.Scheme); err != nil {
			return ctrl.Result{}, err
		}
	}
	shared := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "shared", Namespace: thing.Namespace}}
	data := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-data", Namespace: thing.Namespace}}
	for _, obj := range []client.Object{owned, scratch, shared, data} {
		if err := client.IgnoreAlreadyExists(r.Create(ctx, obj)); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func (r *OneOfTwoIsShared) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Secret{}).
		Owns(&corev1.PersistentVolumeClaim{}).
		Complete(r)
}

// OneOfTwoHasNoOwnerWhileAbsent creates two Services while there is none. Only one gets a
// reference.
type OneOfTwoHasNoOwnerWhileAbsent struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *OneOfTwoHasNoOwnerWhileAbsent) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, r.services(ctx, thing)
}

func (r *OneOfTwoHasNoOwnerWhileAbsent) services(ctx context.Context, thing *thingapi.Thing) error {
	services := &corev1.ServiceList{}
	if err := r.List(ctx, services, client.InNamespace(thing.Namespace)); err != nil {
		return err
	}
	if len(services.Items) > 0 {
		return nil
	}
	owned := newService(thing, "")
	if err := controllerutil.SetControllerReference(thing, owned, r.Scheme); err != nil {
		return err
	}
	if err := r.Create(ctx, owned); err != nil {
		return err
	}
	return r.Create(ctx, newService(thing, "-headless")) // want "missingwatch: .*Service.*controller reference"
}

func newService(thing *thingapi.Thing, suffix string) *corev1.Service {
	return &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: thing.Name + suffix, Namespace: thing.Namespace}}
}

func (r *OneOfTwoHasNoOwnerWhileAbsent) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Complete(r)
}

// OneIsAdoptedLater makes a Secret without a reference, and adds one as soon as it
// sees the Secret.
type OneIsAdoptedLater struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *OneIsAdoptedLater) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	secret := newSecret(thing)
	if err := client.IgnoreAlreadyExists(r.Create(ctx, secret)); err != nil {
		return ctrl.Result{}, err
	}
	live := &corev1.Secret{}
	if err := r.Get(ctx, client.ObjectKeyFromObject(secret), live); err != nil {
		return ctrl.Result{}, err
	}
	if err := controllerutil.SetControllerReference(thing, live, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Update(ctx, live)
}

func (r *OneIsAdoptedLater) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Owns(&corev1.Secret{}).Complete(r)
}
