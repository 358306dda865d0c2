package conformance

import (
	"fmt"
	"strings"
)

func long(text string, times int) string { return strings.Repeat(text, times) }

func manyEnv(count int) string {
	items := make([]string, count)
	for i := range items {
		items[i] = fmt.Sprintf(`{"name":"V%d"}`, i)
	}
	return "[" + strings.Join(items, ",") + "]"
}
