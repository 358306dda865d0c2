package flameconf

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// hashLength is how many hexadecimal digits of SHA-256 a hash has: 64 bits tell
// any two configurations of one cluster apart, and stay readable.
const hashLength = 16

// hashes are the hashes of what each daemon reads of flame-cluster.yaml. There is
// none for the object cache when the file has no block for it.
func hashes(tree map[string]any) (map[v1alpha1.Component]string, error) {
	result := map[v1alpha1.Component]string{}
	for _, component := range everyone {
		if _, found := tree["cache"]; component == v1alpha1.ComponentObjectCache && !found {
			continue
		}
		read, _ := readBy(component, flameKeys, tree)
		text, err := json.Marshal(read)
		if err != nil {
			return nil, fmt.Errorf("configuration of %s: %w", component, err)
		}
		sum := sha256.Sum256(text)
		result[component] = hex.EncodeToString(sum[:])[:hashLength]
	}
	return result, nil
}

// readBy is the part of value that the component reads, and false when it reads
// nothing of it. Keys that the table does not know count for all readers of the
// map they are in, since a Flame build that knows them may read them there.
func readBy(component v1alpha1.Component, k key, value any) (any, bool) {
	reads := slices.Contains(k.readers, component)
	fields, isMap := value.(map[string]any)
	if k.kind != kindMap || !isMap {
		return value, reads
	}
	read := map[string]any{}
	for name, field := range fields {
		known, found := k.fields[name]
		if !found {
			known = key{readers: k.readers}
		}
		if part, ok := readBy(component, known, field); ok {
			read[name] = part
		}
	}
	return read, len(read) > 0 || reads && k.present
}
