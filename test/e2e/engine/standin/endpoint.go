package standin

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var secrets = schema.GroupVersionResource{Version: "v1", Resource: "secrets"}

// secretKey is one value of a Secret.
type secretKey struct {
	SecretRef struct {
		Namespace string `json:"namespace"`
		Name      string `json:"name"`
		Key       string `json:"key"`
	} `json:"secretRef"`
}

// endpointConfig is how the hooks of a host are called.
type endpointConfig struct {
	Host          string     `json:"host"`
	Authorization *secretKey `json:"authorization"`
	CABundle      *secretKey `json:"caBundle"`
	ClientTLS     *secretKey `json:"clientTLS"`
}

// endpoint calls a hook with the credentials that belong to its host.
type endpoint struct {
	client        *http.Client
	authorization string
}

func (e *endpoint) do(r *http.Request) (*http.Response, error) {
	if e.authorization != "" {
		r.Header.Set("Authorization", e.authorization)
	}
	return e.client.Do(r)
}

// connectHooks reads the credentials of all hooks. That happens when a controller
// starts and never again: a Secret that changes later has no effect.
func (e *standIn) connectHooks(ctx context.Context, c *compositeController) error {
	for _, h := range []*hook{c.Spec.Hooks.Sync, c.Spec.Hooks.Finalize, c.Spec.Hooks.Customize} {
		if h == nil {
			continue
		}
		address, err := url.Parse(h.address())
		if err != nil {
			return err
		}
		var config endpointConfig
		for _, candidate := range c.Spec.EndpointConfigs {
			if strings.EqualFold(candidate.Host, address.Host) || strings.EqualFold(candidate.Host, address.Hostname()) {
				config = candidate
				break
			}
		}
		if h.endpoint, err = e.connectHook(ctx, config); err != nil {
			return err
		}
	}
	return nil
}

func (e *standIn) connectHook(ctx context.Context, config endpointConfig) (*endpoint, error) {
	if e.config.Proxy == "" && config.CABundle == nil && config.ClientTLS == nil && config.Authorization == nil {
		return &endpoint{client: http.DefaultClient}, nil
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	if e.config.Proxy != "" {
		proxy, err := url.Parse(e.config.Proxy)
		if err != nil {
			return nil, err
		}
		transport.Proxy = http.ProxyURL(proxy)
	}
	result := &endpoint{client: &http.Client{Transport: transport}}
	transport.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	if ref := config.Authorization; ref != nil {
		token, err := e.secret(ctx, ref, ref.SecretRef.Key)
		if err != nil {
			return nil, err
		}
		result.authorization = "Bearer " + strings.TrimSpace(string(token))
	}
	if ref := config.CABundle; ref != nil {
		bundle, err := e.secret(ctx, ref, ref.SecretRef.Key)
		if err != nil {
			return nil, err
		}
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(bundle) {
			return nil, fmt.Errorf("no certificates in Secret %s/%s", ref.SecretRef.Namespace, ref.SecretRef.Name)
		}
		transport.TLSClientConfig.RootCAs = pool
	}
	if ref := config.ClientTLS; ref != nil {
		certificate, err := e.secret(ctx, ref, "tls.crt")
		if err != nil {
			return nil, err
		}
		key, err := e.secret(ctx, ref, "tls.key")
		if err != nil {
			return nil, err
		}
		pair, err := tls.X509KeyPair(certificate, key)
		if err != nil {
			return nil, err
		}
		transport.TLSClientConfig.Certificates = []tls.Certificate{pair}
	}
	return result, nil
}

func (e *standIn) secret(ctx context.Context, ref *secretKey, key string) ([]byte, error) {
	object, err := e.dynamic.Resource(secrets).Namespace(ref.SecretRef.Namespace).Get(ctx, ref.SecretRef.Name, metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	value, found, err := unstructured.NestedString(object.Object, "data", key)
	if err != nil || !found {
		return nil, fmt.Errorf("the Secret %s/%s has no key %s", ref.SecretRef.Namespace, ref.SecretRef.Name, key)
	}
	return base64.StdEncoding.DecodeString(value)
}
