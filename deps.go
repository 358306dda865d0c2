package deps

import (
	_ "github.com/go-chi/chi/v5"
	_ "github.com/prometheus/client_golang/prometheus"
	_ "github.com/prometheus/client_golang/prometheus/promhttp"
	_ "github.com/spf13/cobra"
	_ "github.com/stretchr/testify/require"
	_ "go.yaml.in/yaml/v3"
	_ "k8s.io/apimachinery/pkg/util/strategicpatch"
	_ "k8s.io/api/policy/v1"
	_ "sigs.k8s.io/json"
	_ "sigs.k8s.io/yaml"
)
