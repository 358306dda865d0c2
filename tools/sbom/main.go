// Command sbom writes the bill of materials of a Go binary, as CycloneDX JSON, from
// what the Go linker recorded in it: the modules that are really inside.
package main

import (
	"debug/buildinfo"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
)

func main() {
	binary := flag.String("binary", "", "Go binary")
	version := flag.String("version", "", "version of the binary, without v")
	out := flag.String("out", "", "file to write")
	flag.Parse()
	if err := run(*binary, *version, *out); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func run(binary, version, out string) error {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(describe(info, version), "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(out, append(text, '\n'), 0o644)
}

// bill is the part of CycloneDX 1.6 that is written. It carries no time and no
// serial number, so that the same binary has the same bill.
type bill struct {
	Format      string      `json:"bomFormat"`
	SpecVersion string      `json:"specVersion"`
	Version     int         `json:"version"`
	Metadata    metadata    `json:"metadata"`
	Components  []component `json:"components"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Reference  string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	PURL       string     `json:"purl"`
	Properties []property `json:"properties,omitempty"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func describe(info *debug.BuildInfo, version string) bill {
	described := bill{
		Format:      "CycloneDX",
		SpecVersion: "1.6",
		Version:     1,
		Metadata:    metadata{Component: describeModule("application", info.Main.Path, "v"+version, "")},
		Components: []component{
			describeModule("library", "std", strings.TrimPrefix(info.GoVersion, "go"), ""),
		},
	}
	for _, module := range info.Deps {
		if module.Replace != nil {
			module = module.Replace
		}
		described.Components = append(described.Components, describeModule("library", module.Path, module.Version, module.Sum))
	}
	return described
}

// describeModule describes one module; sum is what go.sum says of it.
func describeModule(kind, path, version, sum string) component {
	reference := "pkg:golang/" + path + "@" + version
	described := component{Type: kind, Reference: reference, Name: path, Version: version, PURL: reference}
	if sum != "" {
		described.Properties = []property{{Name: "go:sum", Value: sum}}
	}
	return described
}
