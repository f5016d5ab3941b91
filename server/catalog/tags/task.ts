import { RECORD_KINDS } from '../../../formats/record/kinds.ts'
import { editText } from '../../../formats/text/edit/text-edit.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Body } from '../../requests/http/body.ts'
import type { Task, TaskText } from '../../requests/http/offload.ts'

/** The document of a tag, and the id that it gets. */
interface TagRenameInput extends TaskText {
  id: string
}

/** Sets the id in the document of a tag, which need not contain one. Errors: invalid_state. */
export const renameTagDocument: Task<TagRenameInput, Body> = {
  name: 'tag/rename',
  run({ document, mediaType: sentAs, id }) {
    const mediaType = sentAs === 'application/yaml' ? sentAs : 'application/json'
    const { paths } = RECORD_KINDS.tag
    const edited = editText(document, mediaType, [{ kind: 'set', path: paths.id, value: id }])
    if (edited.ok) return { text: edited.text, mediaType }
    throw new ApiError(
      'invalid_state',
      'The text of the tag has a layout in which the id cannot be replaced. Write it again first.',
    )
  },
}
