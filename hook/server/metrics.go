package server

import (
	"net/http"
	"runtime"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/canonical"
)

// metrics are what Prometheus sees. Every label has a fixed list of values, so that
// no number of clusters and no request makes more time series.
type metrics struct {
	registry *prometheus.Registry

	requests      *prometheus.CounterVec
	durations     *prometheus.HistogramVec
	requestBytes  *prometheus.HistogramVec
	responseBytes *prometheus.HistogramVec
	children      *prometheus.CounterVec
	guardRefusals prometheus.Counter
	invalidSpecs  *prometheus.CounterVec
	panics        prometheus.Counter
	reloads       *prometheus.CounterVec
}

// durationBuckets reach from an ordinary answer, well under a millisecond, to the
// 10 seconds after which Metacontroller gives up.
var durationBuckets = []float64{.00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// bodyBuckets reach from 1 KiB to the default limit of 64 MiB.
var bodyBuckets = prometheus.ExponentialBuckets(1<<10, 4, 9)

func newMetrics(version string, f *inFlight) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "flame_hook_requests_total",
			Help: "Calls by hook (sync, finalize, customize, none) and status code.",
		}, []string{"hook", "code"}),
		durations: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "flame_hook_request_duration_seconds",
			Help:    "Time from the request's header to the end of the answer, reading the body included.",
			Buckets: durationBuckets,
		}, []string{"hook"}),
		requestBytes: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "flame_hook_request_body_bytes",
			Help:    "Size of the bodies that were read.",
			Buckets: bodyBuckets,
		}, []string{"hook"}),
		responseBytes: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "flame_hook_response_body_bytes",
			Help:    "Size of the answers with code 200.",
			Buckets: bodyBuckets,
		}, []string{"hook"}),
		children: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "flame_hook_children_total",
			Help: "Children in answers, by kind.",
		}, []string{"kind"}),
		guardRefusals: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "flame_hook_guard_refusals_total",
			Help: "Answers that the guard refused as harmful; each is a fault of flame-hook.",
		}),
		invalidSpecs: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "flame_hook_invalid_specs_total",
			Help: "Answers about a FlameCluster whose spec is refused, by reason.",
		}, []string{"reason"}),
		panics: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "flame_hook_panics_total",
			Help: "Panics that were turned into a 500; each is a fault of flame-hook.",
		}),
		reloads: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "flame_hook_reloads_total",
			Help: "Changed files with tokens, certificate or client CA, by content and result (done, failed).",
		}, []string{"content", "result"}),
	}
	m.registry.MustRegister(
		m.requests, m.durations, m.requestBytes, m.responseBytes, m.children,
		m.guardRefusals, m.invalidSpecs, m.panics, m.reloads,
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "flame_hook_in_flight_bytes",
			Help: "Bytes of the bodies of calls that are being answered.",
		}, func() float64 { return float64(f.current()) }),
		buildInfo(version),
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	m.startAtZero()
	return m
}

// startAtZero makes the series exist before the first event, so that an alert sees
// the step from 0 to 1.
func (m *metrics) startAtZero() {
	for _, hook := range []string{hookSync, hookFinalize, hookCustomize} {
		m.requests.WithLabelValues(hook, strconv.Itoa(http.StatusOK))
		m.requests.WithLabelValues(hook, strconv.Itoa(http.StatusInternalServerError))
		m.durations.WithLabelValues(hook)
	}
	for _, kind := range canonical.ChildKinds() {
		m.children.WithLabelValues(kind.Kind)
	}
	for _, reason := range []string{v1alpha1.ReasonInvalidSpec, v1alpha1.ReasonUnsupportedByVersion} {
		m.invalidSpecs.WithLabelValues(reason)
	}
}

func buildInfo(version string) prometheus.Collector {
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Name:        "flame_hook_build_info",
		Help:        "Always 1; the labels say what runs.",
		ConstLabels: prometheus.Labels{"version": version, "goversion": runtime.Version()},
	})
	info.Set(1)
	return info
}

func (m *metrics) certificateExpiry(notAfter func() time.Time) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "flame_hook_certificate_not_after_timestamp_seconds",
		Help: "When the certificate of the hook port expires, as Unix time.",
	}, func() float64 { return float64(notAfter().Unix()) }))
}

func (m *metrics) count(c *call, a answer) {
	m.requests.WithLabelValues(c.hook, strconv.Itoa(a.code)).Inc()
	m.durations.WithLabelValues(c.hook).Observe(time.Since(c.started).Seconds())
	if c.bodyBytes > 0 {
		m.requestBytes.WithLabelValues(c.hook).Observe(float64(c.bodyBytes))
	}
	if a.code == http.StatusOK {
		m.responseBytes.WithLabelValues(c.hook).Observe(float64(len(a.body)))
	}
	if c.guarded {
		m.guardRefusals.Inc()
	}
	if c.response == nil {
		return
	}
	for i := range c.response.Children {
		m.children.WithLabelValues(c.response.Children[i].Kind).Inc()
	}
	if reason := invalidReason(c.response.Status); reason != "" {
		m.invalidSpecs.WithLabelValues(reason).Inc()
	}
}

// invalidReason is the reason why the spec is refused, or "" if it is not.
func invalidReason(status *v1alpha1.FlameClusterStatus) string {
	for _, condition := range status.Conditions {
		if condition.Type != v1alpha1.ConditionStalled || condition.Status != metav1.ConditionTrue {
			continue
		}
		switch condition.Reason {
		case v1alpha1.ReasonInvalidSpec, v1alpha1.ReasonUnsupportedByVersion:
			return condition.Reason
		}
	}
	return ""
}
