package lsp

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"sync"
)

// message is any message of JSON-RPC: a request has an ID and a method, a
// notification a method only, a response an ID only.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *responseError  `json:"error,omitempty"`
}

type responseError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// conn is the client's end of a connection to a server.
type conn struct {
	w    io.WriteCloser
	lost chan struct{} // closed once the connection is broken

	mu      sync.Mutex // guards the fields below, and writing
	lastID  int
	waiting map[string]chan<- message // by ID; nil once the connection is broken
	broken  error
}

// dial connects to the server that reads from w and writes to r. It calls handle
// for each message that the server sends unasked, one after the other. If the
// message is a request, the result of handle is the answer.
func dial(r io.Reader, w io.WriteCloser, handle func(method string, params json.RawMessage) any) *conn {
	c := &conn{w: w, lost: make(chan struct{}), waiting: make(map[string]chan<- message)}
	go func() {
		err := c.read(bufio.NewReader(r), handle)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.broken = fmt.Errorf("connection lost: %w", err)
		for _, answer := range c.waiting {
			close(answer)
		}
		c.waiting = nil
		close(c.lost)
	}()
	return c
}

func (c *conn) read(r *bufio.Reader, handle func(string, json.RawMessage) any) error {
	for {
		header, err := textproto.NewReader(r).ReadMIMEHeader()
		if err != nil {
			return err
		}
		length, err := strconv.Atoi(header.Get("Content-Length"))
		if err != nil {
			return err
		}
		body := make([]byte, length)
		if _, err := io.ReadFull(r, body); err != nil {
			return err
		}
		var m message
		if err := json.Unmarshal(body, &m); err != nil {
			return err
		}
		if m.Method == "" {
			c.mu.Lock()
			if answer, ok := c.waiting[string(m.ID)]; ok {
				delete(c.waiting, string(m.ID))
				answer <- m
			}
			c.mu.Unlock()
			continue
		}
		result := handle(m.Method, m.Params)
		if m.ID == nil {
			continue
		}
		data, err := json.Marshal(result)
		if err != nil {
			return err
		}
		c.mu.Lock()
		err = c.write(message{ID: m.ID, Result: data})
		c.mu.Unlock()
		if err != nil {
			return err
		}
	}
}

// write sends a message. The caller holds c.mu.
func (c *conn) write(m message) error {
	m.Version = "2.0"
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.w, "Content-Length: %d\r\n\r\n%s", len(data), data)
	return err
}

// call sends a request and waits for its result.
func (c *conn) call(method string, params, result any) error {
	data, err := json.Marshal(params)
	if err != nil {
		return err
	}
	answer := make(chan message, 1)
	c.mu.Lock()
	if c.waiting == nil {
		c.mu.Unlock()
		return c.broken
	}
	c.lastID++
	id := strconv.Itoa(c.lastID)
	c.waiting[id] = answer
	err = c.write(message{ID: json.RawMessage(id), Method: method, Params: data})
	c.mu.Unlock()
	if err != nil {
		return err
	}
	m, ok := <-answer
	switch {
	case !ok:
		return fmt.Errorf("%s: %w", method, c.broken)
	case m.Error != nil:
		return fmt.Errorf("%s: %s", method, m.Error.Message)
	case result == nil:
		return nil
	case m.Result == nil:
		return errors.New(method + ": neither result nor error")
	}
	return json.Unmarshal(m.Result, result)
}

// notify sends a notification.
func (c *conn) notify(method string, params any) error {
	data, err := json.Marshal(params)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.write(message{Method: method, Params: data})
}
