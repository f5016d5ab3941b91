import {
  getField,
  isObject,
  asText,
  type ObjectValue,
  type Value,
} from '../../../formats/text/value.ts'

/**
 * The description of the API, as this page reads it: the OpenAPI document that the server itself
 * serves. What a newer server adds and this page does not know is left out.
 */
export interface ApiDocument {
  title: string
  version: string
  operations: readonly Operation[]
  /** The shapes with names, by name. */
  schemas: ObjectValue
}

/** An operation of the API. */
export interface Operation {
  /** The operation id, which is also in the address of the page. */
  id: string
  /** In capitals: `GET`. */
  method: string
  /** With its parameters in braces: `/api/teams/{id}`. */
  path: string
  summary: string
  description: string
  tag: string
  parameters: readonly Parameter[]
  /** undefined = it takes no body. */
  body: Body | undefined
  answers: readonly ApiAnswer[]
}

/** A parameter in the path or in the query. */
export interface Parameter {
  name: string
  place: 'path' | 'query'
  isRequired: boolean
  description: string
  schema: Value
}

/** The body of a request. */
export interface Body {
  description: string
  content: readonly Content[]
}

/** A media type with its schema; null for any content. */
export interface Content {
  mediaType: string
  schema: Value
}

/** A response of an operation. */
export interface ApiAnswer {
  status: string
  description: string
  content: readonly Content[]
  headers: readonly { name: string; description: string }[]
}

const METHODS = ['get', 'put', 'post', 'patch', 'delete']

/** Reads an OpenAPI document, ignoring anything of unexpected form. */
export function readApiDocument(document: Value): ApiDocument {
  const info = getField(document, 'info')
  const components = getField(document, 'components')
  const schemas = getField(components, 'schemas')
  const responses = getField(components, 'responses')
  return {
    title: textAt(info, 'title'),
    version: textAt(info, 'version'),
    operations: getFields(getField(document, 'paths')).flatMap(([path, methods]) =>
      METHODS.flatMap((method) => {
        const source = getField(methods, method)
        return source === undefined ? [] : [readOperation(method, path, source, responses)]
      }),
    ),
    schemas: isObject(schemas) ? schemas : {},
  }
}

function readOperation(
  method: string,
  path: string,
  source: Value,
  responses: Value | undefined,
): Operation {
  const tags = toList(getField(source, 'tags'))
  const body = getField(source, 'requestBody')
  return {
    id: textAt(source, 'operationId') || `${method} ${path}`,
    method: method.toUpperCase(),
    path,
    summary: textAt(source, 'summary') || path,
    description: textAt(source, 'description'),
    tag: asText(tags[0]) ?? 'api',
    parameters: toList(getField(source, 'parameters')).flatMap(readParameter),
    body:
      body === undefined
        ? undefined
        : { description: textAt(body, 'description'), content: readContent(body) },
    answers: getFields(getField(source, 'responses')).map(([status, answer]) =>
      readAnswer(status, resolveResponse(answer, responses)),
    ),
  }
}

function readAnswer(status: string, answer: Value): ApiAnswer {
  return {
    status,
    description: textAt(answer, 'description'),
    content: readContent(answer),
    headers: getFields(getField(answer, 'headers')).map(([name, header]) => ({
      name,
      description: textAt(header, 'description'),
    })),
  }
}

/** Returns the shared response that an answer refers to, or the answer itself. */
function resolveResponse(answer: Value, responses: Value | undefined): Value {
  const name = textAt(answer, '$ref').split('/').at(-1) ?? ''
  return (name === '' ? undefined : getField(responses, name)) ?? answer
}

function readParameter(source: Value): Parameter[] {
  const place = getField(source, 'in')
  if (place !== 'path' && place !== 'query') return []
  const name = textAt(source, 'name')
  const description = textAt(source, 'description')
  const isRequired = getField(source, 'required') === true
  return [{ name, place, isRequired, description, schema: getField(source, 'schema') ?? null }]
}

function readContent(source: Value): Content[] {
  return getFields(getField(source, 'content')).map(([mediaType, content]) => ({
    mediaType,
    schema: getField(content, 'schema') ?? null,
  }))
}

function getFields(value: Value | undefined): [string, Value][] {
  return isObject(value) ? Object.entries(value) : []
}

function toList(value: Value | undefined): Value[] {
  return Array.isArray(value) ? value : []
}

function textAt(value: Value | undefined, name: string): string {
  return asText(getField(value, name)) ?? ''
}
