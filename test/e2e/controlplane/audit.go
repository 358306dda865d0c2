package controlplane

import (
	"bufio"
	"encoding/json"
	"os"
	"time"
)

// Write is one request that wrote, or tried to write, an object.
type Write struct {
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
func (c *ControlPlane) Writes(since time.Time) ([]Write, error) {
	file, err := os.Open(c.auditLog())
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var writes []Write
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
		writes = append(writes, Write{
			Time: event.RequestReceivedTimestamp, UserAgent: event.UserAgent, Verb: event.Verb, Code: event.ResponseStatus.Code,
			Resource: event.ObjectRef.Resource, Namespace: event.ObjectRef.Namespace, Name: event.ObjectRef.Name, Subresource: event.ObjectRef.Subresource,
		})
	}
	return writes, lines.Err()
}
