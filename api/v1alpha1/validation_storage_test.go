package v1alpha1

import "testing"

func TestStorage(t *testing.T) {
	storage := func(object string) string { return `{"sessionManager":{"storage":` + object + `}}` }
	const path = `spec.sessionManager.storage.`
	const characters = `must be an absolute path of letters, digits, ., _ and -, without the segments . and ..`
	const outside = `must be inside /var/lib/flame/session, where sessionManager.volumeSource is mounted`
	invalid(t, map[string][]string{
		storage(`{}`): nil,
		storage(`{"type":"sqlite","path":"/var/lib/flame/session/a/b.db"}`): nil,
		storage(`{"path":"/var/lib/flame/session/"}`):                       nil,
		storage(`{"type":"postgres","secretRef":{"name":"s","key":"k"}}`):   nil,
		storage(`{"type":"redis"}`):                                         {path + `type: Unsupported value: "redis": supported values: "filesystem", "sqlite", "none", "postgres", "mysql"`},
		storage(`{"path":"/data"}`):                                         {path + `path: Invalid value: "/data": ` + outside},
		storage(`{"path":"/var/lib/flame/sessions"}`):                       {path + `path: Invalid value: "/var/lib/flame/sessions": ` + outside},
		storage(`{"path":"/var/lib/flame/session/../a"}`):                   {path + `path: Invalid value: "/var/lib/flame/session/../a": ` + characters},
		storage(`{"path":"flame.db"}`):                                      {path + `path: Invalid value: "flame.db": ` + characters},
		storage(`{"path":"/var/lib/flame/session/a?mode=ro"}`):              {path + `path: Invalid value: "/var/lib/flame/session/a?mode=ro": ` + characters},
		storage(`{"type":"sqlite","path":"/var/lib/flame/session"}`):        {path + `path: Invalid value: "/var/lib/flame/session": must be a file for type sqlite, such as "/var/lib/flame/session/flame.db"`},
		storage(`{"type":"none","path":"/var/lib/flame/session"}`):          {path + `path: Forbidden: has no meaning for type none; remove it, or take type filesystem or sqlite`},
		storage(`{"type":"mysql","path":"/var/lib/flame/session"}`):         {path + `path: Forbidden: has no meaning for a database server; its connection string belongs into a Secret: use secretRef`},
		storage(`{"type":"none","secretRef":{"name":"s","key":"k"}}`):       {path + `secretRef: Forbidden: has no meaning for type none`},
		storage(`{"secretRef":{"name":"","key":"k"}}`):                      {path + `secretRef.name: Required value: name the Secret`},
		storage(`{"secretRef":{"name":"s","key":""}}`):                      {path + `secretRef.key: Required value: name the key of the Secret that holds the connection string`},
		storage(`{"secretRef":{"name":"s","key":"a b"}}`):                   {path + `secretRef.key: Invalid value: "a b": must be a key of a Secret: at most 253 letters, digits, -, _ and .`},
		storage(`{"path":"/var/lib/flame/session","secretRef":{"name":"s","key":"k"}}`): {
			path + `path: Forbidden: give path or secretRef, not both: the Secret holds the whole connection string`,
		},
	})
}
