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

/** One thing that can be asked of the API. */
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

/** A part of the path or of the query. */
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

/** One way in which an operation ends. */
export interface ApiAnswer {
  status: string
  description: string
  content: readonly Content[]
  headers: readonly { name: string; description: string }[]
}

const METHODS = ['get', 'put', 'post', 'delete']

/** Reads an OpenAPI document, ignoring anything of unexpected form. */
export function readApiDocument(document: Value): ApiDocument {
  const info = getField(document, 'info')
  const components = getField(document, 'components')
  const schemas = getField(components, 'schemas')
  const responses = getField(components, 'responses')
  return {
    title: textAt(info, 'title'),
    version: textAt(info, 'version'),
    operations: fieldsOf(getField(document, 'paths')).flatMap(([path, methods]) =>
      METHODS.flatMap((method) => {
        const told = getField(methods, method)
        return told === undefined ? [] : [operationOf(method, path, told, responses)]
      }),
    ),
    schemas: isObject(schemas) ? schemas : {},
  }
}

function operationOf(
  method: string,
  path: string,
  told: Value,
  responses: Value | undefined,
): Operation {
  const tags = listOf(getField(told, 'tags'))
  const body = getField(told, 'requestBody')
  return {
    id: textAt(told, 'operationId') || `${method} ${path}`,
    method: method.toUpperCase(),
    path,
    summary: textAt(told, 'summary') || path,
    description: textAt(told, 'description'),
    tag: asText(tags[0]) ?? 'api',
    parameters: listOf(getField(told, 'parameters')).flatMap(parameterOf),
    body:
      body === undefined
        ? undefined
        : { description: textAt(body, 'description'), content: contentOf(body) },
    answers: fieldsOf(getField(told, 'responses')).map(([status, answer]) =>
      readAnswer(status, resolveResponse(answer, responses)),
    ),
  }
}

function readAnswer(status: string, answer: Value): ApiAnswer {
  return {
    status,
    description: textAt(answer, 'description'),
    content: contentOf(answer),
    headers: fieldsOf(getField(answer, 'headers')).map(([name, header]) => ({
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

function parameterOf(told: Value): Parameter[] {
  const place = getField(told, 'in')
  if (place !== 'path' && place !== 'query') return []
  const name = textAt(told, 'name')
  const description = textAt(told, 'description')
  const isRequired = getField(told, 'required') === true
  return [{ name, place, isRequired, description, schema: getField(told, 'schema') ?? null }]
}

function contentOf(told: Value): Content[] {
  return fieldsOf(getField(told, 'content')).map(([mediaType, content]) => ({
    mediaType,
    schema: getField(content, 'schema') ?? null,
  }))
}

function fieldsOf(value: Value | undefined): [string, Value][] {
  return isObject(value) ? Object.entries(value) : []
}

function listOf(value: Value | undefined): Value[] {
  return Array.isArray(value) ? value : []
}

function textAt(value: Value | undefined, name: string): string {
  return asText(getField(value, name)) ?? ''
}
