// Package fixture takes steps, each of which decides by the status of a Thing whether
// it is taken.
package fixture

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

type step interface {
	due(thing *thingapi.Thing) bool
	take(ctx context.Context, thing *thingapi.Thing) error
}

// secretStep makes the Secret of a Thing, once for each generation.
type secretStep struct{ client.Client }

const secretMade = "SecretMade"

func (s secretStep) due(thing *thingapi.Thing) bool {
	found := meta.FindStatusCondition(thing.Status.Conditions, secretMade)
	return found == nil || found.Status != metav1.ConditionTrue || found.ObservedGeneration != thing.Generation
}

func (s secretStep) take(ctx context.Context, thing *thingapi.Thing) error {
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	if _, err := controllerutil.CreateOrUpdate(ctx, s.Client, secret, func() error {
		secret.Labels = thing.Spec.Labels
		return nil
	}); err != nil {
		return err
	}
	meta.SetStatusCondition(&thing.Status.Conditions, metav1.Condition{
		Type: secretMade, Status: metav1.ConditionTrue, Reason: "Made", ObservedGeneration: thing.Generation,
	})
	return s.Status().Update(ctx, thing)
}

// configStep keeps the configuration of a Thing, as long as that is not done.
type configStep struct{ client.Client }

func (s configStep) due(thing *thingapi.Thing) bool { return thing.Status.Phase != "Done" }

func (s configStep) take(ctx context.Context, thing *thingapi.Thing) error {
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, s.Client, config, func() error {
		config.Data = thing.Spec.Config
		return nil
	})
	return err
}

// StepsBehindAnInterface takes the steps that are due.
type StepsBehindAnInterface struct {
	client.Client
}

func (r *StepsBehindAnInterface) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	for _, s := range []step{secretStep{r.Client}, configStep{r.Client}} {
		if s.due(thing) {
			if err := s.take(ctx, thing); err != nil {
				return ctrl.Result{}, err
			}
		}
	}
	return ctrl.Result{}, nil
}

func (r *StepsBehindAnInterface) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*ConfigMap"
}

// StampsWhatItMade makes a Secret with a password, which must not be made again, and
// a Service that it makes again where it is gone.
type StampsWhatItMade struct {
	client.Client
}

func (r *StampsWhatItMade) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.secret(ctx, thing); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.service(ctx, thing)
}

func (r *StampsWhatItMade) secret(ctx context.Context, thing *thingapi.Thing) error {
	if thing.Status.LastSync != nil {
		return nil
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	if err := r.Create(ctx, secret); err != nil {
		return err
	}
	thing.Status.LastSync = &metav1.Time{Time: secret.CreationTimestamp.Time}
	return r.Status().Update(ctx, thing)
}

func (r *StampsWhatItMade) service(ctx context.Context, thing *thingapi.Thing) error {
	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	if thing.Status.ReadyReplicas != 0 {
		if err := r.Get(ctx, client.ObjectKeyFromObject(service), service); !apierrors.IsNotFound(err) {
			return err
		}
	}
	if err := r.Create(ctx, service); err != nil {
		return err
	}
	thing.Status.ReadyReplicas = 1
	return r.Status().Update(ctx, thing)
}

func (r *StampsWhatItMade) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*Service"
}

// RunsATask makes what a task needs and waits until it is done. After that it
// does nothing any more.
type RunsATask struct {
	client.Client
}

func (r *RunsATask) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	task := &task{Client: r.Client, thing: thing}
	if thing.IsDone() {
		return ctrl.Result{}, nil
	}
	return task.run(ctx)
}

type task struct {
	client.Client
	thing *thingapi.Thing
}

func (t *task) run(ctx context.Context) (ctrl.Result, error) {
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: t.thing.Name, Namespace: t.thing.Namespace}}
	if _, err := controllerutil.CreateOrUpdate(ctx, t.Client, account, func() error { return nil }); err != nil {
		return ctrl.Result{}, err
	}
	pod := &corev1.Pod{}
	if err := t.Get(ctx, client.ObjectKeyFromObject(account), pod); err != nil || pod.Status.Phase != corev1.PodSucceeded {
		return ctrl.Result{RequeueAfter: 5 * time.Second}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, t.finish(ctx)
}

func (t *task) finish(ctx context.Context) error {
	t.thing.Status.Done = ptr.To(true)
	return t.Status().Update(ctx, t.thing)
}

func (r *RunsATask) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// AccountOfAPartThatIsNotReady keeps the account of a Part as long as that is not ready.
// It may be unready again.
type AccountOfAPartThatIsNotReady struct {
	client.Client
}

func (r *AccountOfAPartThatIsNotReady) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	part := &thingapi.Part{}
	if err := r.Get(ctx, req.NamespacedName, part); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if part.IsReady() {
		return ctrl.Result{}, nil
	}
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: part.Name, Namespace: part.Namespace}}
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, account, func() error { return nil }); err != nil {
		return ctrl.Result{}, err
	}
	part.Status.Ready = account.UID != ""
	return ctrl.Result{}, r.Status().Update(ctx, part)
}

func (r *AccountOfAPartThatIsNotReady) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Part{}).
		Complete(r) // want "missingwatch: .*ServiceAccount"
}

const tokenMade = "things.example.com/token"

// TokenThatAnAnnotationRecords makes a Secret with a token that it gets only once. An
// annotation of the Thing says that it was made.
type TokenThatAnAnnotationRecords struct {
	client.Client
}

func (r *TokenThatAnAnnotationRecords) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if _, made := thing.Annotations[tokenMade]; !made {
		secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
		if err := r.Create(ctx, secret); err != nil {
			return ctrl.Result{}, err
		}
		annotate(thing, tokenMade, secret.Name)
		return ctrl.Result{}, r.Update(ctx, thing)
	}
	return ctrl.Result{}, nil
}

func annotate(o client.Object, key, value string) {
	annotations := o.GetAnnotations()
	if annotations == nil {
		annotations = make(map[string]string)
	}
	annotations[key] = value
	o.SetAnnotations(annotations)
}

func (r *TokenThatAnAnnotationRecords) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// SecretUnlessAnAnnotationForbidsIt makes a Secret, unless somebody has annotated the
// Thing. It annotates the Secret, and not the Thing.
type SecretUnlessAnAnnotationForbidsIt struct {
	client.Client
}

func (r *SecretUnlessAnAnnotationForbidsIt) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if _, made := thing.Annotations[tokenMade]; !made {
		secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
		annotate(secret, tokenMade, thing.Name)
		return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, secret))
	}
	return ctrl.Result{}, nil
}

func (r *SecretUnlessAnAnnotationForbidsIt) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*Secret"
}

const (
	tokenWanted  = "things.example.com/wanted-token"
	tokenOfChild = "things.example.com/child-token"
)

// RequestsThatAnAnnotationAsksFor makes a Part for each token that the annotation of a
// Thing asks for. Another annotation says which was the last.
type RequestsThatAnAnnotationAsksFor struct {
	client.Client
}

func (r *RequestsThatAnAnnotationAsksFor) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	wanted, made := thing.Annotations[tokenWanted], thing.Annotations[tokenMade]
	if wanted == made {
		return ctrl.Result{}, nil
	}
	part := &thingapi.Part{ObjectMeta: metav1.ObjectMeta{Name: wanted, Namespace: thing.Namespace}}
	if err := r.Create(ctx, part); client.IgnoreAlreadyExists(err) != nil {
		return ctrl.Result{}, err
	}
	return r.record(ctx, thing, wanted)
}

func (r *RequestsThatAnAnnotationAsksFor) record(ctx context.Context, thing *thingapi.Thing, token string) (ctrl.Result, error) {
	before := client.MergeFrom(thing.DeepCopy())
	thing.Annotations[tokenMade] = token
	return ctrl.Result{}, r.Patch(ctx, thing, before)
}

func (r *RequestsThatAnAnnotationAsksFor) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// PartsThatLoseTheirToken makes a Part again when its token is not the one that the
// Thing has. A Part that is gone has none.
type PartsThatLoseTheirToken struct {
	client.Client
}

func (r *PartsThatLoseTheirToken) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing, part := &thingapi.Thing{}, &thingapi.Part{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.Get(ctx, req.NamespacedName, part); client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, err
	}
	if thing.Annotations[tokenMade] == part.Annotations[tokenOfChild] {
		return ctrl.Result{}, nil
	}
	part = &thingapi.Part{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	annotate(part, tokenOfChild, thing.Name)
	if err := r.Create(ctx, part); client.IgnoreAlreadyExists(err) != nil {
		return ctrl.Result{}, err
	}
	annotate(thing, tokenMade, thing.Name)
	return ctrl.Result{}, r.Update(ctx, thing)
}

func (r *PartsThatLoseTheirToken) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*Part"
}

const finalizer = "example.com/things"

// RecordsWithTheFinalizer makes a ConfigMap before it adds the finalizer, and leaves it to
// the user then.
type RecordsWithTheFinalizer struct {
	client.Client
}

func (r *RecordsWithTheFinalizer) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !controllerutil.ContainsFinalizer(thing, finalizer) {
		cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
		if err := r.Create(ctx, cm); client.IgnoreAlreadyExists(err) != nil {
			return ctrl.Result{}, err
		}
		controllerutil.AddFinalizer(thing, finalizer)
		return ctrl.Result{}, r.Update(ctx, thing)
	}
	return ctrl.Result{}, nil
}

func (r *RecordsWithTheFinalizer) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// MakesWithTheFinalizer makes a ConfigMap as long as there is the finalizer.
type MakesWithTheFinalizer struct {
	client.Client
}

func (r *MakesWithTheFinalizer) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if controllerutil.ContainsFinalizer(thing, finalizer) {
		cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
		return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, cm))
	}
	controllerutil.AddFinalizer(thing, finalizer)
	return ctrl.Result{}, r.Update(ctx, thing)
}

func (r *MakesWithTheFinalizer) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*ConfigMap"
}

// MakesUntilOthersAreReady makes a ConfigMap until a status says so that this package
// never sets.
type MakesUntilOthersAreReady struct {
	client.Client
}

func (r *MakesUntilOthersAreReady) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if len(thing.Status.Members) > 0 {
		return ctrl.Result{}, nil
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, cm))
}

func (r *MakesUntilOthersAreReady) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}
