package drain

import (
	"cmp"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
)

// Choose returns the count pods that a scale-in should take, in the order in which the ReplicaSet controller takes them:
// first those that serve nobody, then the cheapest. Pods that are marked already come first among those that serve, so
// that a scale-in that is tried again goes on with the same pods.
func Choose(pods []corev1.Pod, count int) []corev1.Pod {
	pods = slices.Clone(pods)
	slices.SortFunc(pods, func(a, b corev1.Pod) int {
		return cmp.Or(
			compareBool(!Serves(&a), !Serves(&b)),
			compareBool(Marked(&a), Marked(&b)),
			cmp.Compare(deletionCost(&a), deletionCost(&b)),
			b.CreationTimestamp.Compare(a.CreationTimestamp.Time),
			cmp.Compare(a.Name, b.Name),
		)
	})
	return pods[:min(max(count, 0), len(pods))]
}

// Serves reports whether a pod may be answering requests, so that it has something to drain.
func Serves(pod *corev1.Pod) bool {
	if pod.Status.PodIP == "" || pod.Status.Phase != corev1.PodRunning {
		return false
	}
	return slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
}

// Active reports whether a pod counts for its ReplicaSet.
func Active(pod *corev1.Pod) bool {
	return pod.DeletionTimestamp == nil && pod.Status.Phase != corev1.PodSucceeded && pod.Status.Phase != corev1.PodFailed
}

// compareBool puts true first.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	default:
		return 1
	}
}

// deletionCost is what the ReplicaSet controller reads; anything that is no number counts as 0.
func deletionCost(pod *corev1.Pod) int64 {
	cost, err := strconv.ParseInt(pod.Annotations[corev1.PodDeletionCost], 10, 32)
	if err != nil {
		return 0
	}
	return cost
}
