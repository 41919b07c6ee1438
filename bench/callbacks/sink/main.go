// The receiver of the callback benchmark: answers 204, 500 under /failing, counts by first path segment, and takes 5 s under /slow.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

var counts sync.Map

func count(name string) *atomic.Int64 {
	known, _ := counts.LoadOrStore(name, new(atomic.Int64))
	return known.(*atomic.Int64)
}

func serve(response http.ResponseWriter, request *http.Request) {
	if request.Method == http.MethodGet {
		all := map[string]int64{}
		counts.Range(func(name, value any) bool {
			all[name.(string)] = value.(*atomic.Int64).Load()
			return true
		})
		_ = json.NewEncoder(response).Encode(all)
		return
	}
	_, _ = io.Copy(io.Discard, request.Body)
	name := strings.SplitN(request.URL.Path, "/", 3)[1]
	if name == "slow" {
		time.Sleep(5 * time.Second)
	}
	count(name).Add(1)
	if name == "failing" {
		response.WriteHeader(http.StatusInternalServerError)
		return
	}
	response.WriteHeader(http.StatusNoContent)
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	panic(http.Serve(listener, http.HandlerFunc(serve)))
}
