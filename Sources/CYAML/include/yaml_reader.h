// A reader of YAML on libyaml, whose interface consists of numbers only: its events are unions of pointers. One text is
// read at a time.
#pragma once
#include <stdint.h>

/// An event of a text.
enum yaml_reader_event {
    /// The text is malformed: `yaml_reader_octet` has the reason.
    yaml_reader_malformed = 0,
    yaml_reader_document_start,
    yaml_reader_document_end,
    /// A node that is repeated: `yaml_reader_octet` has its anchor.
    yaml_reader_alias,
    /// A scalar: `yaml_reader_octet` has its value.
    yaml_reader_scalar,
    yaml_reader_sequence_start,
    yaml_reader_sequence_end,
    yaml_reader_mapping_start,
    yaml_reader_mapping_end,
    /// The end of the text.
    yaml_reader_end_of_text,
};

/// Forgets the former text and starts another.
void yaml_reader_begin(void);

/// Appends an octet to the text, before the first event is read.
void yaml_reader_append(uint8_t octet);

/// Reads the next event.
enum yaml_reader_event yaml_reader_next(void);

/// Returns the line of the event, from 1.
int yaml_reader_line(void);

/// Returns an octet of the event's value, or -1 at its end.
int yaml_reader_octet(int index);

/// Returns an octet of the event's anchor, or -1 at its end; the first call returns -1 if it has none.
int yaml_reader_anchor_octet(int index);

/// Frees what the reader holds.
void yaml_reader_finish(void);
