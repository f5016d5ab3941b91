import type { ObjectValue } from '../../../formats/text/value.ts'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { toChoices } from '../../parts/choices.ts'
import { Field, TextArea } from '../../parts/field.tsx'
import type { Body } from './api-document.ts'
import { ShapeTree } from './shape-tree.tsx'

const ROWS_MAX = 18

interface BodyFieldProps {
  body: Body
  schemas: ObjectValue
  mediaType: string
  text: string
  onMediaType: (mediaType: string) => void
  onText: (text: string) => void
}

/** The body of a request: its text, media type and schema. */
export function BodyField({ body, schemas, mediaType, text, onMediaType, onText }: BodyFieldProps) {
  const content = body.content.find((one) => one.mediaType === mediaType) ?? body.content[0]
  const rows = Math.min(ROWS_MAX, text.split('\n').length + 1)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {body.content.length > 1 && (
        <ChoiceField
          label="Media type"
          className="max-w-60"
          value={mediaType}
          choices={toChoices(body.content.map((one) => one.mediaType))}
          onChange={onMediaType}
        />
      )}
      <Field label="Body" hint={body.description}>
        {(control) => (
          <TextArea
            {...control}
            rows={rows}
            spellCheck={false}
            autoComplete="off"
            className="font-mono text-sm!"
            value={text}
            onChange={(event) => onText(event.target.value)}
          />
        )}
      </Field>
      {content !== undefined && (
        <details>
          <summary className="w-fit py-0.5 text-sm text-accent">Body fields</summary>
          <div className="mt-1">
            <ShapeTree schema={content.schema} schemas={schemas} />
          </div>
        </details>
      )}
    </div>
  )
}
