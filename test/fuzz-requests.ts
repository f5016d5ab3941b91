/**
 * Random requests, generated from the product's own OpenAPI document: half of them are nearly valid, so
 * that they get far, the others are hostile. All consist of small parts that shrink well.
 */

import * as fc from 'fast-check'
import { bodies, mostlyTrue } from './fuzz-bodies.ts'
import { contentType, credentials, header } from './fuzz-headers.ts'
import { servesPages, type FuzzRequest, type Operation, type Pool } from './fuzz-pool.ts'
import { shapeArbitrary, type Shape } from './fuzz-shapes.ts'
import {
  hostileValue,
  meantId,
  oddTarget,
  toPath,
  place,
  toQuery,
  getRoom,
} from './fuzz-targets.ts'

/** Creates the generator of requests. */
export function requests(
  {
    operations,
    components,
  }: { operations: readonly Operation[]; components: Readonly<Record<string, Shape>> },
  pool: Pool,
): fc.Arbitrary<FuzzRequest> {
  return fc
    .constantFrom(...operations)
    .chain((operation) => requestsTo(operation, components, pool))
}

function requestsTo(
  operation: Operation,
  components: Readonly<Record<string, Shape>>,
  pool: Pool,
): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({
      operation: fc.constant(operation),
      place: place(pool),
      isRouted: mostlyTrue(19),
      odd: oddTarget,
      methodSwap: fc.oneof(
        { weight: 19, arbitrary: fc.constant(undefined) },
        fc.constantFrom(...METHODS),
      ),
      key: credentials(operation, pool),
      headers: fc.array(header, { maxLength: 2 }),
      hasQuery: fc.boolean(),
      contentType: fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, contentType),
      isChunked: fc.boolean(),
      bodyFor: bodies,
      shaped: shapeArbitrary(operation.bodyShape ?? {}, components, pool.named),
      queryFor: fc.array(fc.tuple(fc.nat(), fc.nat(), mostlyTrue(3), hostileValue), {
        maxLength: 4,
      }),
    })
    .map((drawn) => {
      const { place, key } = drawn
      const isYaml = drawn.bodyFor.isYaml && operation.bodyMediaTypes.length > 1
      const hasBody = operation.bodyMediaTypes.length > 0 || drawn.bodyFor.isUnasked
      const path = toPath(operation, place, pool)
      const isQueried = drawn.hasQuery || operation.queryNames.some(({ required }) => required)
      const query = isQueried ? toQuery(operation, drawn.queryFor, pool) : ''
      const type = drawn.contentType ?? (isYaml ? 'application/yaml' : 'application/json')
      return {
        method: drawn.methodSwap ?? operation.method,
        target: drawn.isRouted ? path + query : drawn.odd,
        headers: [
          ...key.headers,
          // The pages send every request as JSON, which no form of another site can do.
          ...(hasBody || servesPages(operation)
            ? [['content-type', type] as [string, string]]
            : []),
          ...drawn.headers,
        ],
        body: hasBody
          ? drawn.bodyFor.make(
              getRoom(operation),
              meantId(operation, place, pool),
              pool.teamIds,
              servesPages(operation) ? drawn.shaped : undefined,
            )
          : undefined,
        isChunked: drawn.isChunked && hasBody,
        keyOwner: key.owner,
      }
    })
}

/** Converts a request to HTTP/1.1. */
export function toBytes(request: FuzzRequest): Buffer {
  const { method, target, headers, body, isChunked } = request
  const length = isChunked ? 'transfer-encoding: chunked' : `content-length: ${body?.length ?? 0}`
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  const head = [`${method} ${target} HTTP/1.1`, 'host: portbook.test', ...lines]
  const hasLength = body !== undefined || method === 'PUT' || method === 'POST'
  const text = [...head, ...(hasLength ? [length] : []), '', ''].join('\r\n')
  const content = isChunked && body !== undefined ? chunked(body) : (body ?? Buffer.alloc(0))
  return Buffer.concat([Buffer.from(text, 'latin1'), content])
}

const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'HEAD', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND']

function chunked(body: Buffer): Buffer {
  const middle = Math.floor(body.length / 2)
  const parts = [body.subarray(0, middle), body.subarray(middle)].filter((part) => part.length > 0)
  const written = parts.flatMap((part) => [
    Buffer.from(`${part.length.toString(16)}\r\n`),
    part,
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...written, Buffer.from('0\r\n\r\n')])
}
