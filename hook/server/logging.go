package server

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// The log never contains bodies, headers, specs or texts made from them. What is
// left of a request is the name of the FlameCluster and words from fixed lists.

// logCall writes the one line of a call: at debug, louder when somebody has to act.
func (s *Server) logCall(ctx context.Context, c *call, a answer) {
	level := slog.LevelDebug
	switch {
	case a.code >= http.StatusInternalServerError:
		level = slog.LevelError
	case a.code == http.StatusNotFound, a.code == http.StatusMethodNotAllowed, a.code == http.StatusTooManyRequests:
	case a.code >= http.StatusBadRequest:
		level = slog.LevelWarn
	}
	if !s.log.Enabled(ctx, level) {
		return
	}
	attrs := []slog.Attr{
		slog.String("hook", c.hook),
		slog.Int("code", a.code),
		slog.Float64("seconds", time.Since(c.started).Seconds()),
		slog.Int("bodyBytes", c.bodyBytes),
		slog.Int("answerBytes", len(a.body)),
	}
	if a.message != "" {
		attrs = append(attrs, slog.String("refusal", a.message))
	}
	s.log.LogAttrs(ctx, level, "call", append(attrs, identity(c)...)...)
}

// logStateChange writes a line when the answer moves the cluster to another state.
// The state before it is the one that the request carries.
func (s *Server) logStateChange(ctx context.Context, c *call) {
	if c.response == nil || c.response.Status == nil {
		return
	}
	before, after := knownState(c.request.Parent.PreviousStatus().State), c.response.Status.State
	if before == string(after) {
		return
	}
	attrs := append(identity(c), slog.String("from", before), slog.String("to", string(after)))
	for _, condition := range c.response.Status.Conditions {
		if condition.Type == v1alpha1.ConditionReady {
			attrs = append(attrs, slog.String("reason", condition.Reason))
		}
	}
	s.log.LogAttrs(ctx, slog.LevelInfo, "state changed", attrs...)
}

// logFault names an unexpected error by its types alone.
func (s *Server) logFault(c *call, err error) {
	attrs := append([]slog.Attr{slog.String("hook", c.hook), slog.String("type", fmt.Sprintf("%T", err))}, identity(c)...)
	s.log.LogAttrs(context.Background(), slog.LevelError, "unexpected error", attrs...)
}

// changes returns what to do when a file with that content was read again.
func (s *Server) changes(content string) func(error) {
	return func(err error) {
		if err != nil {
			s.metrics.reloads.WithLabelValues(content, "failed").Inc()
			s.log.Error("can't be read again; the last good one stays in use", "content", content, "error", err.Error())
			return
		}
		s.metrics.reloads.WithLabelValues(content, "done").Inc()
		s.log.Info("read again", "content", content)
	}
}

func identity(c *call) []slog.Attr {
	if c.request == nil {
		return nil
	}
	metadata := c.request.Parent.Metadata
	return []slog.Attr{
		slog.String("namespace", knownName(metadata.Namespace)),
		slog.String("name", knownName(metadata.Name)),
	}
}

func knownName(name string) string {
	if len(validation.IsDNS1123Subdomain(name)) > 0 {
		return "(not a name)"
	}
	return name
}

func knownState(state v1alpha1.ClusterState) string {
	switch state {
	case "", v1alpha1.StatePending, v1alpha1.StateRunning, v1alpha1.StateUpdating,
		v1alpha1.StateDegraded, v1alpha1.StateFailed, v1alpha1.StateSuspended:
		return string(state)
	}
	return "(unknown)"
}
