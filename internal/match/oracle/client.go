package oracle

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// send makes one request on a connection of its own. An error means that no response came; a body that ends too early is
// in the reply.
func send(address string, q Request) (Reply, error) {
	transport := &http.Transport{DisableCompression: true, DisableKeepAlives: true, Protocols: &http.Protocols{}}
	transport.Protocols.SetHTTP1(!q.HTTP2)
	transport.Protocols.SetUnencryptedHTTP2(q.HTTP2)
	defer transport.CloseIdleConnections()
	return roundTrip(transport, address, q)
}

func roundTrip(transport *http.Transport, address string, q Request) (Reply, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var body io.Reader
	if q.Body != nil {
		body = bytes.NewReader(q.Body)
	}
	method := q.Method
	if method == "" {
		method = http.MethodGet
	}
	request, err := http.NewRequestWithContext(ctx, method, "http://"+address+"/", body)
	if err != nil {
		return Reply{}, err
	}
	// Opaque goes out as it is: escapes in paths are part of what is tested.
	request.URL = &url.URL{Scheme: "http", Host: address, Opaque: q.Target}
	request.Header = q.Header.Clone()
	if request.Header == nil {
		request.Header = http.Header{}
	}
	if q.Body != nil && request.Header.Get("Content-Type") == "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := transport.RoundTrip(request)
	if err != nil {
		return Reply{BrokenOff: true}, fmt.Errorf("%s %s: no response: %w", method, q.Target, err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	return Reply{
		Status:    response.StatusCode,
		Header:    response.Header,
		Trailer:   response.Trailer,
		Body:      content,
		BrokenOff: err != nil,
		Closes:    response.Close,
	}, nil
}
