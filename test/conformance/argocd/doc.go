// Package argocd runs the health check of docs/argo-cd-health.md as Argo CD would.
package argocd
