import type { Task } from '../../requests/http/offload.ts'
import { readTraces } from './otlp.ts'
import type { SpanBatch } from './span.ts'

/** Reads a request with traces. */
export const readSpans: Task<{ text: string }, SpanBatch> = {
  name: 'usage/readSpans',
  run: ({ text }) => readTraces(text),
}
