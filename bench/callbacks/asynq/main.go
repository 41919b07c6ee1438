// One asynq task per delivery, 50 at once over keep-alive connections: what a job queue of another language carries. Orders come as lines:
// "prepare <count>" fills the queue, "run" empties it and answers the seconds it took.
package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/hibiken/asynq"
)

const (
	concurrency = 50
	taskType    = "deliver"
)

var (
	secret = bytes.Repeat([]byte{7}, 32)
	filler = strings.Repeat("x", 330)
)

type delivery struct {
	UpdateType       string            `json:"updateType"`
	VirtualAccountID string            `json:"virtualAccountId"`
	TokenInfo        map[string]string `json:"tokenInfo"`
	Note             string            `json:"note"`
}

func newID() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b)
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func newBody() []byte {
	body, err := json.Marshal(delivery{
		UpdateType:       "TOKEN_STATE_CHANGE",
		VirtualAccountID: newID(),
		TokenInfo:        map[string]string{"tokenMasked": "999900******1234", "tokenExpiry": "112029", "tokenStatus": "SUSPENDED"},
		Note:             filler,
	})
	if err != nil {
		panic(err)
	}
	return body
}

func deliver(client *http.Client, url string, body []byte) error {
	id, timestamp := newID(), time.Now().Unix()
	mac := hmac.New(sha256.New, secret)
	fmt.Fprintf(mac, "%s.%d.%s", id, timestamp, body)
	request, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("content-type", "application/json")
	request.Header.Set("webhook-id", id)
	request.Header.Set("webhook-timestamp", fmt.Sprint(timestamp))
	request.Header.Set("webhook-signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode >= 300 {
		return fmt.Errorf("the sink answered %d", answer.StatusCode)
	}
	return nil
}

func prepare(redis asynq.RedisConnOpt, count int) error {
	queue := asynq.NewClient(redis)
	defer queue.Close()
	for range count {
		if _, err := queue.Enqueue(asynq.NewTask(taskType, newBody()), asynq.MaxRetry(0)); err != nil {
			return err
		}
	}
	return nil
}

func run(redis asynq.RedisConnOpt, client *http.Client, url string, count int) (float64, error) {
	var done sync.WaitGroup
	done.Add(count)
	failures := make(chan error, count)
	server := asynq.NewServer(redis, asynq.Config{Concurrency: concurrency, LogLevel: asynq.FatalLevel})
	startedAt := time.Now()
	err := server.Start(asynq.HandlerFunc(func(_ context.Context, task *asynq.Task) error {
		defer done.Done()
		err := deliver(client, url, task.Payload())
		if err != nil {
			failures <- err
		}
		return err
	}))
	if err != nil {
		return 0, err
	}
	done.Wait()
	seconds := time.Since(startedAt).Seconds()
	server.Shutdown()
	select {
	case err := <-failures:
		return 0, err
	default:
		return seconds, nil
	}
}

func main() {
	redis, err := asynq.ParseRedisURI(os.Args[1])
	if err != nil {
		panic(err)
	}
	transport := &http.Transport{MaxIdleConnsPerHost: concurrency, MaxConnsPerHost: concurrency}
	client := &http.Client{Transport: transport}
	count := 0
	orders := bufio.NewScanner(os.Stdin)
	for orders.Scan() {
		if _, err = fmt.Sscanf(orders.Text(), "prepare %d", &count); err == nil {
			err = prepare(redis, count)
			fmt.Println(0)
		} else {
			var seconds float64
			seconds, err = run(redis, client, os.Args[2], count)
			fmt.Println(seconds)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
