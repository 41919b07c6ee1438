// The variables of tracing, by the names that OpenTelemetry gives them.
import { z } from 'zod';

const samplers = ['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const;

export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .default('')
    .refine(
      (text) => text === '' || /^https?:\/\/[^\s/]+/.test(text),
      'expected an address such as http://127.0.0.1:4318',
    )
    .describe(
      'Collector of OpenTelemetry that spans of the graph go to (OTLP over HTTP, JSON, `/v1/traces` below it); empty: none are made',
    ),
  OTEL_SERVICE_NAME: z.string().min(1).default('open-payments').describe('`service.name` of the spans'),
  OTEL_TRACES_SAMPLER: z
    .enum(samplers)
    .default('parentbased_always_on')
    .describe("Which operations are traced when the caller's `traceparent` does not say"),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('How many of them with `parentbased_traceidratio`: 0.1 is every tenth'),
} as const;
