package controlplane

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Request is one request, whether it succeeded or not.
type Request struct {
	Time      time.Time
	UserAgent string
	Verb      string
	Code      int
	Resource  string
	Namespace string
	Name      string
	// Subresource is status or scale, or empty.
	Subresource string
}

func (c *ControlPlane) auditLog() string { return c.file("audit.log") }

// Writes returns the writes of FlameClusters and of the kinds of their children
// since the given time, oldest first.
func (c *ControlPlane) Writes(since time.Time) ([]Request, error) {
	var writes []Request
	err := c.audited(since, func(w Request) { writes = append(writes, w) })
	return writes, err
}

// AuditEverything are flags for Start that let the audit log hold every request,
// reads too, for Requests. The policy is written to a file in dir.
func AuditEverything(dir string) ([]string, error) {
	const policy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived, ResponseStarted]
rules:
- level: Metadata
`
	file := filepath.Join(dir, "audit-everything.yaml")
	// By default, the log would begin anew after 100 MB.
	return []string{"--audit-policy-file=" + file, "--audit-log-maxsize=10000"}, os.WriteFile(file, []byte(policy), 0o600)
}

// Requests counts the requests from one time to another by the client's name, which
// is what its user agent begins with. A watch counts when it ends.
func (c *ControlPlane) Requests(from, until time.Time) (map[string]int, error) {
	requests := map[string]int{}
	err := c.audited(from, func(w Request) {
		if w.Time.Before(until) {
			name, _, _ := strings.Cut(w.UserAgent, "/")
			requests[name]++
		}
	})
	return requests, err
}

// audited visits what the audit log holds since the given time, oldest first.
func (c *ControlPlane) audited(since time.Time, visit func(Request)) error {
	file, err := os.Open(c.auditLog())
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var event struct {
			UserAgent                string    `json:"userAgent"`
			Verb                     string    `json:"verb"`
			RequestReceivedTimestamp time.Time `json:"requestReceivedTimestamp"`
			ResponseStatus           struct {
				Code int `json:"code"`
			} `json:"responseStatus"`
			ObjectRef struct {
				Resource, Namespace, Name, Subresource string
			} `json:"objectRef"`
		}
		if json.Unmarshal(lines.Bytes(), &event) != nil || event.RequestReceivedTimestamp.Before(since) {
			continue
		}
		visit(Request{
			Time: event.RequestReceivedTimestamp, UserAgent: event.UserAgent, Verb: event.Verb, Code: event.ResponseStatus.Code,
			Resource: event.ObjectRef.Resource, Namespace: event.ObjectRef.Namespace, Name: event.ObjectRef.Name, Subresource: event.ObjectRef.Subresource,
		})
	}
	return lines.Err()
}
