// Spans of the graph's operations, subscriptions and completed events, and of their calls to subgraphs, for a collector of OpenTelemetry. Absent where there is none: whoever would make a span looks for it and goes on.

export interface Tracing {
  /** Begins the span of an operation, below the caller's where it sent a `traceparent`. */
  operation(of: { kind: string; name: string | undefined; requestId: string; traceparent?: string }): OperationSpan;
  /** Around what a subgraph does for a call of another process. */
  served<Value>(subgraph: string, traceparent: string | undefined, run: () => Value): Value;
  /** Sends what is left, in bounded time. */
  stop(): Promise<void>;
}

export interface OperationSpan {
  /** Around one call of a subgraph; `traceparent` goes along to another process. */
  fetch<Value>(subgraph: string, run: (traceparent: string) => Value): Value;
  /** `code`: of the first error. */
  end(code: string | undefined): void;
}
