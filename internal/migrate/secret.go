package migrate

// secretManifest is a Secret with a connection string, in the namespace that the
// FlameCluster's manifest names, if any.
func secretManifest(c *cluster, name, key, connection string) ([]byte, error) {
	metadata := []member{{"name", name}}
	if c.ownNamespace {
		metadata = append(metadata, member{"namespace", c.namespace})
	}
	node := mapping([]member{
		{"apiVersion", "v1"},
		{"kind", "Secret"},
		{"metadata", metadata},
		{"stringData", []member{{key, connection}}},
	}, 0, 0)
	node.HeadComment = "# Where FlameCluster " + c.name + " keeps its state. Keep this file out of version control."
	text, err := encode(node, 2)
	return []byte(text + "\n"), err
}
