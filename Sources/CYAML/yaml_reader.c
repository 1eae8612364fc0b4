#include "yaml_reader.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

static struct {
    uint8_t *text;
    size_t length, capacity;
    bool is_open, has_event;
    yaml_parser_t parser;
    yaml_event_t event;
    const char *value;
    size_t value_length;
    const char *anchor;
    size_t anchor_length;
    int line;
} reader;

static void drop_event(void) {
    if (reader.has_event) yaml_event_delete(&reader.event);
    reader.has_event = false;
    reader.value = reader.anchor = NULL;
    reader.value_length = reader.anchor_length = 0;
}

void yaml_reader_finish(void) {
    drop_event();
    if (reader.is_open) yaml_parser_delete(&reader.parser);
    // The text may have keys: overwritten through a volatile pointer, which is not removed as unused.
    for (size_t index = 0; index < reader.length; index++) ((volatile uint8_t *)reader.text)[index] = 0;
    free(reader.text);
    memset(&reader, 0, sizeof reader);
}

void yaml_reader_begin(void) { yaml_reader_finish(); }

void yaml_reader_append(uint8_t octet) {
    if (reader.length == reader.capacity) {
        size_t capacity = reader.capacity > 0 ? 2 * reader.capacity : 4096;
        uint8_t *text = realloc(reader.text, capacity);
        if (text == NULL) abort();
        reader.text = text;
        reader.capacity = capacity;
    }
    reader.text[reader.length++] = octet;
}

static enum yaml_reader_event malformed(void) {
    const char *problem = reader.is_open ? reader.parser.problem : NULL;
    reader.value = problem != NULL ? problem : "cannot be read";
    reader.value_length = strlen(reader.value);
    reader.line = reader.is_open ? (int)reader.parser.problem_mark.line + 1 : 1;
    return yaml_reader_malformed;
}

static void set_value(const yaml_char_t *value, size_t length) {
    reader.value = (const char *)value;
    reader.value_length = length;
}

static void set_anchor(const yaml_char_t *anchor) {
    if (anchor == NULL) return;
    reader.anchor = (const char *)anchor;
    reader.anchor_length = strlen(reader.anchor);
}

enum yaml_reader_event yaml_reader_next(void) {
    drop_event();
    if (!reader.is_open) {
        if (!yaml_parser_initialize(&reader.parser)) return malformed();
        reader.is_open = true;
        yaml_parser_set_input_string(
            &reader.parser, reader.text != NULL ? reader.text : (const uint8_t *)"", reader.length);
        yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
    }
    do {
        drop_event();
        if (!yaml_parser_parse(&reader.parser, &reader.event)) return malformed();
        reader.has_event = true;
    } while (reader.event.type == YAML_STREAM_START_EVENT);
    reader.line = (int)reader.event.start_mark.line + 1;
    switch (reader.event.type) {
    case YAML_DOCUMENT_START_EVENT: return yaml_reader_document_start;
    case YAML_DOCUMENT_END_EVENT: return yaml_reader_document_end;
    case YAML_ALIAS_EVENT:
        set_value(reader.event.data.alias.anchor, strlen((const char *)reader.event.data.alias.anchor));
        return yaml_reader_alias;
    case YAML_SCALAR_EVENT:
        set_anchor(reader.event.data.scalar.anchor);
        set_value(reader.event.data.scalar.value, reader.event.data.scalar.length);
        return yaml_reader_scalar;
    case YAML_SEQUENCE_START_EVENT:
        set_anchor(reader.event.data.sequence_start.anchor);
        return yaml_reader_sequence_start;
    case YAML_SEQUENCE_END_EVENT: return yaml_reader_sequence_end;
    case YAML_MAPPING_START_EVENT:
        set_anchor(reader.event.data.mapping_start.anchor);
        return yaml_reader_mapping_start;
    case YAML_MAPPING_END_EVENT: return yaml_reader_mapping_end;
    default: return yaml_reader_end_of_text;
    }
}

int yaml_reader_line(void) { return reader.line; }

int yaml_reader_octet(int index) {
    return index >= 0 && (size_t)index < reader.value_length ? (uint8_t)reader.value[index] : -1;
}

int yaml_reader_anchor_octet(int index) {
    return index >= 0 && (size_t)index < reader.anchor_length ? (uint8_t)reader.anchor[index] : -1;
}
