package settled

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAnswersToSettledRequestsChangeNothing(t *testing.T) {
	for _, test := range []struct {
		file, state string
		ready       bool
	}{
		{"v1-sync-steady", "Running", true},
		{"v2-sync-steady", "Running", true},
		{"v2-sync-imagepull", "Degraded", false},
	} {
		recorded, err := os.ReadFile("../../test/golden/requests/" + test.file + ".json")
		require.NoError(t, err)
		for _, pods := range []int{0, 4, 20} {
			t.Run(fmt.Sprintf("%s/%d", test.file, pods), func(t *testing.T) {
				text, err := Request(recorded, Cluster{Pods: pods, Stuck: !test.ready})
				require.NoError(t, err)
				var request object
				require.NoError(t, json.Unmarshal(text, &request))
				assert.Len(t, at(request, "related", "Pod.v1"), pods, "pods")
				answer, err := answerTo(request, Time)
				require.NoError(t, err)
				assert.Equal(t, at(request, "parent", "status"), answer.Status)
				if pods > 0 {
					assert.Equal(t, test.state, answer.Status["state"], answer.Status["message"])
				}
				for _, child := range answer.Children {
					existing := observed(request, child)
					require.NotNil(t, existing)
					assert.Equal(t, at(child, "metadata", "annotations")["flame.xflops.io/hash"], at(existing, "metadata", "annotations")["flame.xflops.io/hash"])
				}
			})
		}
	}
}
