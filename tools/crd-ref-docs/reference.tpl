{{- define "gvList" -}}
# API reference

Generated from the Go types by `make docs`. `kubectl explain flamecluster.spec` shows the same texts.
{{ range . }}
{{- template "groupVersion" . }}
{{- end }}
{{- end -}}

{{- define "groupVersion" }}
## {{ .GroupVersionString }}

{{ template "text" .Doc }}

Kinds:{{ range .SortedKinds }} {{ $.TypeForKind . | markdownRenderTypeLink }}{{ end }}
{{ range .SortedTypes }}{{ if markdownShouldRenderType . }}{{ template "type" . }}{{ end }}{{ end }}
{{- end -}}

{{- define "type" }}
### {{ .Name }}

{{ template "text" .Doc }}
{{- if .References }}

Used in{{ range $i, $reference := .SortedReferences }}{{ if $i }},{{ end }} {{ markdownRenderTypeLink $reference }}{{ end }}.
{{- end }}
{{- if .Members }}

| field | type | meaning | limits |
| --- | --- | --- | --- |
{{- if .GVK }}
| `apiVersion` | string | `{{ .GVK.Group }}/{{ .GVK.Version }}` | |
| `kind` | string | `{{ .GVK.Kind }}` | |
{{- end }}
{{- range .Members }}
| `{{ .Name }}` | {{ template "kind" .Type }} | {{ if eq .Name "metadata" }}Name, namespace, labels and annotations, as for every object.{{ else }}{{ template "cell" .Doc }}{{ end }} | {{ template "limits" . }} |
{{- end }}
{{- end }}
{{- if .EnumValues }}

| value | meaning |
| --- | --- |
{{- range .EnumValues }}
| `{{ .Name }}` | {{ template "cell" (regexReplaceAll "^[A-Z][A-Za-z]+ (means that )?" .Doc "") }} |
{{- end }}
{{- end }}
{{ end -}}

{{- define "kind" -}}
{{- $kind := markdownRenderType . -}}
{{- if contains "RawExtension" $kind }}object{{ else }}{{ $kind }}{{ end -}}
{{- end -}}

{{- define "limits" -}}
{{- $limits := list -}}
{{- if .Default }}{{ $limits = append $limits (printf "default %s" (.Default | toString)) }}{{ end -}}
{{- range .Validation -}}
{{- if not (or (hasPrefix "Optional" .) (hasPrefix "XValidation" .) (hasPrefix "Required" .) (hasPrefix "Schemaless" .) (hasPrefix "Type" .) (hasPrefix "XIntOrString" .)) -}}
{{- $limits = append $limits (. | trim) -}}
{{- end -}}
{{- end -}}
{{- range $i, $limit := $limits }}{{ if $i }}, {{ end }}{{ template "cell" $limit }}{{ end -}}
{{- end -}}

{{- define "text" -}}
{{ . | trim | replace "<" "&lt;" | replace ">" "&gt;" }}
{{- end -}}

{{- define "cell" -}}
{{ . | trim | replace "<" "&lt;" | replace ">" "&gt;" | replace "|" "\\|" | replace "\n\n" "<br>" | replace "\n" " " }}
{{- end -}}
