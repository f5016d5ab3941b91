/** Versions of messages in Protobuf. */

import type { Model } from '../formats/schema/model.ts'
import { NumberAssigner } from '../formats/schema/protobuf/numbers.ts'
import { writeProtobuf } from '../formats/schema/protobuf/write.ts'

/** A text with most of what the language allows. */
export const PROTOBUF_ORIGINAL = `syntax = "proto3";
package shop;
message Order {
  reserved 3;
  sint64 delta = 5;
  fixed32 code = 9 [json_name = "c"];
  repeated sfixed64 steps = 20;
  map<int32, Line> lines = 7;
  map<bool, sint32> flags = 8;
  oneof target { string email = 30; Line line = 31; }
  Status status = 11;
  Late late = 12;
  optional bool paid = 13;
  message Line { string sku = 4; uint64 count = 2; }
  enum Status { option allow_alias = true; NEW = 0; PAID = 7; DONE = 7; LOST = -1; }
}
enum Late { UNKNOWN = 0; TARDY = 5; }
`

/** Writes the last of several versions, as its export does. */
export function writeLast(versions: readonly Model[][]): string {
  const assigner = new NumberAssigner()
  for (const models of versions) assigner.add(models)
  return writeProtobuf(versions.at(-1) ?? [], assigner.numbering).text
}
