package standin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	kjson "sigs.k8s.io/json"
)

// syncAnswer is the answer to a sync or finalize call.
type syncAnswer struct {
	Status             map[string]any               `json:"status"`
	Children           []*unstructured.Unstructured `json:"children"`
	ResyncAfterSeconds float64                      `json:"resyncAfterSeconds"`
	Finalized          bool                         `json:"finalized"`
}

// tooManyRequests is what an answer with status 429 becomes: try again after that
// time, without back-off and without an event.
type tooManyRequests struct{ after time.Duration }

func (e *tooManyRequests) Error() string {
	return fmt.Sprintf("the hook asks to come back after %s", e.after)
}

// call sends a request to a hook and decodes the answer. Only status 200 is success.
func call(ctx context.Context, h *hook, request, answer any) error {
	body, err := json.Marshal(request)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, h.timeout())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, h.address(), bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	response, err := h.endpoint.do(r)
	if err != nil {
		return fmt.Errorf("http error: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusTooManyRequests {
		return &tooManyRequests{retryAfter(response.Header.Get("Retry-After"), time.Now())}
	}
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return fmt.Errorf("can't read the answer: %w", err)
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("unsupported status code: %d body: %s", response.StatusCode, content)
	}
	return decodeAnswer(content, h.strict(), answer)
}

// decodeAnswer is case-sensitive and refuses trailing data. Unknown and duplicate
// fields are errors if strict; inside of children they never are.
func decodeAnswer(content []byte, strict bool, answer any) error {
	violations, err := kjson.UnmarshalStrict(content, answer)
	if err != nil {
		return fmt.Errorf("can't unmarshal the answer: %w", err)
	}
	if strict && len(violations) > 0 {
		return fmt.Errorf("strict validation of the answer failed: %w", utilerrors.NewAggregate(violations))
	}
	if a, ok := answer.(*syncAnswer); ok {
		for _, child := range a.Children {
			// The real thing ends with a panic here. An error shows the same to a person.
			if child == nil {
				return errors.New("a child is null, which ends a real Metacontroller")
			}
		}
	}
	return nil
}

// retryAfter reads whole seconds or a date; anything else is at once.
func retryAfter(value string, now time.Time) time.Duration {
	if at, err := time.Parse(time.RFC1123, value); err == nil {
		return time.Duration(math.Ceil(at.Sub(now).Seconds())) * time.Second
	}
	seconds, err := strconv.Atoi(value)
	if err != nil {
		return 0
	}
	return time.Duration(seconds) * time.Second
}
