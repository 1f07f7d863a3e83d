package controller

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/robfig/cron"
	kbatch "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ref "k8s.io/client-go/tools/reference"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	logf "sigs.k8s.io/controller-runtime/pkg/log"

	batchv1 "github.com/operatorvet/operatorvet/testdata/kubebuilder/cronjob/api/v1"
)

// CronJobReconciler reconciles CronJobs, as the tutorial does it.
type CronJobReconciler struct {
	client.Client
	Scheme *runtime.Scheme
	Clock
}

// Clock tells the time; tests have one of their own.
type Clock interface {
	Now() time.Time
}

type realClock struct{}

func (realClock) Now() time.Time { return time.Now() }

const (
	typeAvailable   = "Available"
	typeProgressing = "Progressing"
	typeDegraded    = "Degraded"
)

var scheduledTimeAnnotation = "batch.example.com/scheduled-at"

// +kubebuilder:rbac:groups=batch.example.com,resources=cronjobs,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=batch.example.com,resources=cronjobs/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=batch,resources=jobs,verbs=get;list;watch;create;update;patch;delete

// Reconcile reports on the jobs, deletes the old ones and creates the one that
// is due.
func (r *CronJobReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	log := logf.FromContext(ctx)

	var cronJob batchv1.CronJob
	if err := r.Get(ctx, req.NamespacedName, &cronJob); err != nil {
		if apierrors.IsNotFound(err) {
			log.Info("CronJob is gone")
			return ctrl.Result{}, nil
		}
		log.Error(err, "Failed to get CronJob")
		return ctrl.Result{}, err
	}

	if len(cronJob.Status.Conditions) == 0 {
		meta.SetStatusCondition(&cronJob.Status.Conditions, metav1.Condition{
			Type: typeProgressing, Status: metav1.ConditionUnknown, Reason: "Reconciling", Message: "Has begun",
		})
		if err := r.Status().Update(ctx, &cronJob); err != nil {
			log.Error(err, "Failed to update status")
			return ctrl.Result{}, err
		}
		if err := r.Get(ctx, req.NamespacedName, &cronJob); err != nil {
			log.Error(err, "Failed to fetch CronJob again")
			return ctrl.Result{}, err
		}
	}

	// The cache lists in random order, which reaches the status below by way of
	// ref.GetReference. With two active jobs each update may cause the next; we do
	// not say so, because GetReference is unknown to us.
	var childJobs kbatch.JobList
	if err := r.List(ctx, &childJobs, client.InNamespace(req.Namespace), client.MatchingFields{jobOwnerKey: req.Name}); err != nil {
		log.Error(err, "Failed to list Jobs")
		if fetchErr := r.Get(ctx, req.NamespacedName, &cronJob); fetchErr != nil {
			log.Error(fetchErr, "Failed to fetch CronJob again")
			return ctrl.Result{}, fetchErr
		}
		meta.SetStatusCondition(&cronJob.Status.Conditions, metav1.Condition{
			Type: typeDegraded, Status: metav1.ConditionTrue, Reason: "ReconciliationError",
			Message: fmt.Sprintf("Cannot list Jobs: %v", err),
		})
		if statusErr := r.Status().Update(ctx, &cronJob); statusErr != nil {
			log.Error(statusErr, "Failed to update status")
		}
		return ctrl.Result{}, err
	}

	var activeJobs []*kbatch.Job
	var successfulJobs []*kbatch.Job
	var failedJobs []*kbatch.Job
	var mostRecentTime *time.Time

	finished := func(job *kbatch.Job) kbatch.JobConditionType {
		for _, c := range job.Status.Conditions {
			if (c.Type == kbatch.JobComplete || c.Type == kbatch.JobFailed) && c.Status == corev1.ConditionTrue {
				return c.Type
			}
		}
		return ""
	}
	scheduledTime := func(job *kbatch.Job) (*time.Time, error) {
		raw := job.Annotations[scheduledTimeAnnotation]
		if len(raw) == 0 {
			return nil, nil
		}
		parsed, err := time.Parse(time.RFC3339, raw)
		if err != nil {
			return nil, err
		}
		return &parsed, nil
	}

	for i, job := range childJobs.Items {
		switch finished(&job) {
		case "":
			activeJobs = append(activeJobs, &childJobs.Items[i])
		case kbatch.JobFailed:
			failedJobs = append(failedJobs, &childJobs.Items[i])
		case kbatch.JobComplete:
			successfulJobs = append(successfulJobs, &childJobs.Items[i])
		}
		scheduled, err := scheduledTime(&job)
		if err != nil {
			log.Error(err, "Job has a scheduled time that does not parse", "job", &job)
			continue
		}
		if scheduled != nil && (mostRecentTime == nil || mostRecentTime.Before(*scheduled)) {
			mostRecentTime = scheduled
		}
	}

	if mostRecentTime != nil {
		cronJob.Status.LastScheduleTime = &metav1.Time{Time: *mostRecentTime}
	} else {
		cronJob.Status.LastScheduleTime = nil
	}
	cronJob.Status.Active = nil
	for _, activeJob := range activeJobs {
		jobRef, err := ref.GetReference(r.Scheme, activeJob)
		if err != nil {
			log.Error(err, "Failed to refer to active Job", "job", activeJob)
			continue
		}
		cronJob.Status.Active = append(cronJob.Status.Active, *jobRef)
	}

	log.V(1).Info("Jobs", "active", len(activeJobs), "successful", len(successfulJobs), "failed", len(failedJobs))

	if cronJob.Spec.Suspend != nil && *cronJob.Spec.Suspend {
		meta.SetStatusCondition(&cronJob.Status.Conditions, metav1.Condition{
			Type: typeAvailable, Status: metav1.ConditionFalse, Reason: "Suspended", Message: "CronJob is suspended",
		})
	} else if len(failedJobs) > 0 {
		meta.SetStatusCondition(&cronJob.Status.Conditions, metav1.Condition{
			Type: typeDegraded, Status: metav1.ConditionTrue, Reason: "JobsFailed",
			Message: fmt.Sprintf("%d jobs have failed", len(failedJobs)),
		})
	} else if len(activeJobs) > 0 {
		meta.SetStatusCondition(&cronJob.Status.Conditions, metav1.Condition{
			Type: typeProgressing, Status: metav1.ConditionTrue, Reason: "JobsActive",
			Message: fmt.Sprintf("%d jobs are active", len(activeJobs)),
		})
	} else {
		meta.SetStatusCondition(&cronJob.Status.Conditions, metav1.Condition{
			Type: typeAvailable, Status: metav1.ConditionTrue, Reason: "AllJobsCompleted", Message: "All jobs have completed",
		})
	}

	if err := r.Status().Update(ctx, &cronJob); err != nil {
		log.Error(err, "Failed to update status")
		return ctrl.Result{}, err
	}

	if limit := cronJob.Spec.FailedJobsHistoryLimit; limit != nil {
		slices.SortStableFunc(failedJobs, byStartTime)
		for i, job := range failedJobs {
			if int32(i) >= int32(len(failedJobs))-*limit {
				break
			}
			if err := r.Delete(ctx, job, client.PropagationPolicy(metav1.DeletePropagationBackground)); client.IgnoreNotFound(err) != nil {
				log.Error(err, "Failed to delete old failed Job", "job", job)
			} else {
				log.V(1).Info("Deleted old failed Job", "job", job)
			}
		}
	}
	if limit := cronJob.Spec.SuccessfulJobsHistoryLimit; limit != nil {
		slices.SortStableFunc(successfulJobs, byStartTime)
		for i, job := range successfulJobs {
			if int32(i) >= int32(len(successfulJobs))-*limit {
				break
			}
			if err := r.Delete(ctx, job, client.PropagationPolicy(metav1.DeletePropagationBackground)); err != nil {
				log.Error(err, "Failed to delete old successful Job", "job", job)
			} else {
				log.V(1).Info("Deleted old successful Job", "job", job)
			}
		}
	}

	if cronJob.Spec.Suspend != nil && *cronJob.Spec.Suspend {
		log.V(1).Info("CronJob is suspended")
		return ctrl.Result{}, nil
	}

	nextSchedule := func(cronJob *batchv1.CronJob, now time.Time) (lastMissed, next time.Time, err error) {
		sched, err := cron.ParseStandard(cronJob.Spec.Schedule)
		if err != nil {
			return time.Time{}, time.Time{}, fmt.Errorf("schedule %q does not parse: %w", cronJob.Spec.Schedule, err)
		}
		var earliest time.Time
		if cronJob.Status.LastScheduleTime != nil {
			earliest = cronJob.Status.LastScheduleTime.Time
		} else {
			earliest = cronJob.CreationTimestamp.Time
		}
		if cronJob.Spec.StartingDeadlineSeconds != nil {
			deadline := now.Add(-time.Second * time.Duration(*cronJob.Spec.StartingDeadlineSeconds))
			if deadline.After(earliest) {
				earliest = deadline
			}
		}
		if earliest.After(now) {
			return time.Time{}, sched.Next(now), nil
		}
		starts := 0
		for t := sched.Next(earliest); !t.After(now); t = sched.Next(t) {
			lastMissed = t
			starts++
			if starts > 100 {
				return time.Time{}, time.Time{}, fmt.Errorf("more than 100 missed starts; set a starting deadline or check the clock")
			}
		}
		return lastMissed, sched.Next(now), nil
	}

	missedRun, nextRun, err := nextSchedule(&cronJob, r.Now())
	if err != nil {
		log.Error(err, "Failed to understand the schedule")
		if fetchErr := r.Get(ctx, req.NamespacedName, &cronJob); fetchErr != nil {
			log.Error(fetchErr, "Failed to fetch CronJob again")
			return ctrl.Result{}, fetchErr
		}
		meta.SetStatusCondition(&cronJob.Status.Conditions, metav1.Condition{
			Type: typeDegraded, Status: metav1.ConditionTrue, Reason: "InvalidSchedule",
			Message: fmt.Sprintf("Cannot parse the schedule: %v", err),
		})
		if statusErr := r.Status().Update(ctx, &cronJob); statusErr != nil {
			log.Error(statusErr, "Failed to update status")
		}
		return ctrl.Result{}, nil // only an edit of the schedule can help
	}

	scheduledResult := ctrl.Result{RequeueAfter: nextRun.Sub(r.Now())}
	log = log.WithValues("now", r.Now(), "next run", nextRun)
	if missedRun.IsZero() {
		log.V(1).Info("Nothing is due")
		return scheduledResult, nil
	}

	log = log.WithValues("current run", missedRun)
	tooLate := false
	if cronJob.Spec.StartingDeadlineSeconds != nil {
		tooLate = missedRun.Add(time.Duration(*cronJob.Spec.StartingDeadlineSeconds) * time.Second).Before(r.Now())
	}
	if tooLate {
		log.V(1).Info("Too late for this run")
		if fetchErr := r.Get(ctx, req.NamespacedName, &cronJob); fetchErr != nil {
			log.Error(fetchErr, "Failed to fetch CronJob again")
			return ctrl.Result{}, fetchErr
		}
		meta.SetStatusCondition(&cronJob.Status.Conditions, metav1.Condition{
			Type: typeDegraded, Status: metav1.ConditionTrue, Reason: "MissedSchedule",
			Message: fmt.Sprintf("Too late for the run at %v", missedRun),
		})
		if statusErr := r.Status().Update(ctx, &cronJob); statusErr != nil {
			log.Error(statusErr, "Failed to update status")
		}
		return scheduledResult, nil
	}

	if cronJob.Spec.ConcurrencyPolicy == batchv1.ForbidConcurrent && len(activeJobs) > 0 {
		log.V(1).Info("Another run is active", "active", len(activeJobs))
		return scheduledResult, nil
	}
	if cronJob.Spec.ConcurrencyPolicy == batchv1.ReplaceConcurrent {
		for _, activeJob := range activeJobs {
			if err := r.Delete(ctx, activeJob, client.PropagationPolicy(metav1.DeletePropagationBackground)); client.IgnoreNotFound(err) != nil {
				log.Error(err, "Failed to delete active Job", "job", activeJob)
				return ctrl.Result{}, err
			}
		}
	}

	jobFor := func(cronJob *batchv1.CronJob, scheduledTime time.Time) (*kbatch.Job, error) {
		job := &kbatch.Job{
			ObjectMeta: metav1.ObjectMeta{
				Labels:      make(map[string]string),
				Annotations: make(map[string]string),
				Name:        fmt.Sprintf("%s-%d", cronJob.Name, scheduledTime.Unix()), // one per run
				Namespace:   cronJob.Namespace,
			},
			Spec: *cronJob.Spec.JobTemplate.Spec.DeepCopy(),
		}
		maps.Copy(job.Annotations, cronJob.Spec.JobTemplate.Annotations)
		job.Annotations[scheduledTimeAnnotation] = scheduledTime.Format(time.RFC3339)
		maps.Copy(job.Labels, cronJob.Spec.JobTemplate.Labels)
		if err := ctrl.SetControllerReference(cronJob, job, r.Scheme); err != nil {
			return nil, err
		}
		return job, nil
	}

	job, err := jobFor(&cronJob, missedRun)
	if err != nil {
		log.Error(err, "Failed to make a Job of the template")
		return scheduledResult, nil
	}
	if err := r.Create(ctx, job); err != nil {
		log.Error(err, "Failed to create Job", "job", job)
		if fetchErr := r.Get(ctx, req.NamespacedName, &cronJob); fetchErr != nil {
			log.Error(fetchErr, "Failed to fetch CronJob again")
			return ctrl.Result{}, fetchErr
		}
		meta.SetStatusCondition(&cronJob.Status.Conditions, metav1.Condition{
			Type: typeDegraded, Status: metav1.ConditionTrue, Reason: "JobCreationFailed",
			Message: fmt.Sprintf("Cannot create Job: %v", err),
		})
		if statusErr := r.Status().Update(ctx, &cronJob); statusErr != nil {
			log.Error(statusErr, "Failed to update status")
		}
		return ctrl.Result{}, err
	}
	log.V(1).Info("Created Job", "job", job)

	if fetchErr := r.Get(ctx, req.NamespacedName, &cronJob); fetchErr != nil {
		log.Error(fetchErr, "Failed to fetch CronJob again")
		return ctrl.Result{}, fetchErr
	}
	meta.SetStatusCondition(&cronJob.Status.Conditions, metav1.Condition{
		Type: typeProgressing, Status: metav1.ConditionTrue, Reason: "JobCreated",
		Message: fmt.Sprintf("Created job %s", job.Name),
	})
	if statusErr := r.Status().Update(ctx, &cronJob); statusErr != nil {
		log.Error(statusErr, "Failed to update status")
	}
	return scheduledResult, nil
}

// byStartTime orders jobs by when they started, those that did not first.
func byStartTime(a, b *kbatch.Job) int {
	aStart, bStart := a.Status.StartTime, b.Status.StartTime
	switch {
	case aStart == nil && bStart == nil:
		return 0
	case aStart == nil:
		return -1
	case bStart == nil:
		return 1
	case aStart.Before(bStart):
		return -1
	case bStart.Before(aStart):
		return 1
	default:
		return 0
	}
}

var (
	jobOwnerKey = ".metadata.controller"
	apiGVStr    = batchv1.GroupVersion.String()
)

// SetupWithManager indexes the jobs by their CronJob and starts the controller.
func (r *CronJobReconciler) SetupWithManager(mgr ctrl.Manager) error {
	if r.Clock == nil {
		r.Clock = realClock{}
	}
	if err := mgr.GetFieldIndexer().IndexField(context.Background(), &kbatch.Job{}, jobOwnerKey, func(rawObj client.Object) []string {
		job := rawObj.(*kbatch.Job)
		owner := metav1.GetControllerOf(job)
		if owner == nil {
			return nil
		}
		if owner.APIVersion != apiGVStr || owner.Kind != "CronJob" {
			return nil
		}
		return []string{owner.Name}
	}); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).
		For(&batchv1.CronJob{}).
		Owns(&kbatch.Job{}).
		Named("cronjob").
		Complete(r)
}
