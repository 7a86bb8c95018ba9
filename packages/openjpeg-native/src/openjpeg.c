/* Decodes a part of a JPEG 2000 file in memory with the system's OpenJPEG, for Node by Node-API. */
#include <limits.h>
#include <node_api.h>
#include <openjpeg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* What decode() is asked for; the part is in pixels of the reference grid, and all of the image where its sides are 0. */
typedef struct {
  const uint8_t *bytes;
  size_t size;
  size_t position;
  int32_t left, top, right, bottom;
  uint32_t reduction;
  double max_bytes;
} Request;

/* Why it failed: the code of the exception, and OpenJPEG's first message. */
typedef struct {
  const char *code;
  char message[200];
} Failure;

static OPJ_SIZE_T read_bytes(void *to, OPJ_SIZE_T count, void *data) {
  Request *request = data;
  size_t left = request->size - request->position;
  if (left == 0) return (OPJ_SIZE_T)-1;
  if (count > left) count = left;
  memcpy(to, request->bytes + request->position, count);
  request->position += count;
  return count;
}

static OPJ_OFF_T skip_bytes(OPJ_OFF_T count, void *data) {
  Request *request = data;
  if (count < 0) return -1;
  size_t left = request->size - request->position;
  if ((uint64_t)count > left) count = (OPJ_OFF_T)left;
  request->position += (size_t)count;
  return count;
}

static OPJ_BOOL seek_bytes(OPJ_OFF_T position, void *data) {
  Request *request = data;
  if (position < 0 || (uint64_t)position > request->size) return OPJ_FALSE;
  request->position = (size_t)position;
  return OPJ_TRUE;
}

static void keep_message(const char *message, void *data) {
  Failure *failure = data;
  if (failure->message[0]) return;
  snprintf(failure->message, sizeof failure->message, "OpenJPEG: %s", message);
  failure->message[strcspn(failure->message, "\r\n")] = 0;
}

static opj_stream_t *open_stream(Request *request) {
  opj_stream_t *stream = opj_stream_create(1 << 16, OPJ_TRUE);
  if (!stream) return NULL;
  opj_stream_set_user_data(stream, request, NULL);
  opj_stream_set_user_data_length(stream, request->size);
  opj_stream_set_read_function(stream, read_bytes);
  opj_stream_set_skip_function(stream, skip_bytes);
  opj_stream_set_seek_function(stream, seek_bytes);
  return stream;
}

/* What decoding takes at most: OpenJPEG has the samples of the tiles and of the image in 4 bytes each, and we in 2 or fewer. */
static double needed_bytes(const opj_image_t *image, uint32_t reduction) {
  double samples = 0;
  for (uint32_t index = 0; index < image->numcomps; index++) {
    const opj_image_comp_t *component = &image->comps[index];
    double width = ((double)image->x1 - image->x0) / component->dx / (1u << reduction) + 1;
    double height = ((double)image->y1 - image->y0) / component->dy / (1u << reduction) + 1;
    samples += width * height;
  }
  return samples * 10;
}

static bool is_readable(const opj_image_t *image, Failure *failure) {
  for (uint32_t index = 0; index < image->numcomps; index++) {
    const opj_image_comp_t *component = &image->comps[index];
    if (component->prec > 0 && component->prec <= 16) continue;
    failure->code = "unsupported";
    strcpy(failure->message, "samples of more than 16 bits");
    return false;
  }
  return true;
}

/* Decodes to `image`, which the caller destroys, whether or not it succeeds. */
static bool decode_image(Request *request, opj_codec_t *codec, opj_stream_t *stream, opj_image_t **image, Failure *failure) {
  opj_dparameters_t parameters;
  opj_set_default_decoder_parameters(&parameters);
  parameters.cp_reduce = request->reduction;
  /* Components as they are stored: palettes and channels are not applied. */
  parameters.flags |= OPJ_DPARAMETERS_IGNORE_PCLR_CMAP_CDEF_FLAG;
  opj_set_error_handler(codec, keep_message, failure);
  opj_set_warning_handler(codec, keep_message, failure);
  if (!opj_setup_decoder(codec, &parameters)) return false;
  if (!opj_read_header(stream, codec, image) || !is_readable(*image, failure)) return false;
  /* Also for all of the image, whose sides are 0: without a part, sizes of reduced images with an offset would be others. */
  if (!opj_set_decode_area(codec, *image, request->left, request->top, request->right, request->bottom)) return false;
  if (needed_bytes(*image, request->reduction) > request->max_bytes) {
    failure->code = "memory";
    strcpy(failure->message, "decoding takes more memory than it may");
    return false;
  }
  if (!opj_decode(codec, stream, *image)) return false;
  /* What it complains about is wrong even where it goes on. */
  return !failure->message[0];
}

static bool is_jp2(const Request *request) {
  return request->size > 12 && memcmp(request->bytes + 4, "jP  ", 4) == 0;
}

static opj_image_t *decode_request(Request *request, Failure *failure) {
  opj_image_t *image = NULL;
  opj_codec_t *codec = opj_create_decompress(is_jp2(request) ? OPJ_CODEC_JP2 : OPJ_CODEC_J2K);
  opj_stream_t *stream = open_stream(request);
  bool is_decoded = codec && stream && decode_image(request, codec, stream, &image, failure);
  if (stream) opj_stream_destroy(stream);
  if (codec) opj_destroy_codec(codec);
  if (is_decoded) return image;
  if (image) opj_image_destroy(image);
  if (!failure->message[0]) strcpy(failure->message, "OpenJPEG can't decode it");
  return NULL;
}

/* Where the samples of a component go: every `step`th of an array of 8 or 16 bits from `first` on. */
typedef struct {
  void *data;
  napi_value array;
  uint32_t first, step;
} Target;

static bool is_deep(const opj_image_comp_t *component) { return component->prec > 8; }

/* The samples as unsigned numbers: half of the range is added to signed ones. */
#define COPY_SAMPLES(type)                                                    \
  for (size_t at = 0; at < count; at++) {                                     \
    int32_t sample = from[at] + offset;                                       \
    sample = sample < 0 ? 0 : sample > most ? most : sample;                  \
    ((type *)to.data)[to.first + at * to.step] = (type)sample;                \
  }

static void copy_samples(const opj_image_comp_t *component, Target to) {
  size_t count = (size_t)component->w * component->h;
  const int32_t *from = component->data;
  int32_t most = (1 << component->prec) - 1;
  int32_t offset = component->sgnd ? 1 << (component->prec - 1) : 0;
  if (is_deep(component)) COPY_SAMPLES(uint16_t) else COPY_SAMPLES(uint8_t)
}

/* Whether all components have as many samples as each other, in as many bytes. */
static bool are_alike(const opj_image_t *image) {
  const opj_image_comp_t *first = image->comps;
  for (uint32_t index = 1; index < image->numcomps; index++) {
    const opj_image_comp_t *other = image->comps + index;
    if (other->w != first->w || other->h != first->h || is_deep(other) != is_deep(first)) return false;
  }
  return true;
}

/* An array for as many components like this one. */
static bool create_target(napi_env env, const opj_image_comp_t *component, uint32_t components, Target *target) {
  size_t count = (size_t)component->w * component->h * components;
  napi_typedarray_type type = is_deep(component) ? napi_uint16_array : napi_uint8_array;
  napi_value buffer;
  *target = (Target){.step = components};
  return napi_create_arraybuffer(env, is_deep(component) ? count * 2 : count, &target->data, &buffer) == napi_ok &&
         napi_create_typedarray(env, type, count, buffer, 0, &target->array) == napi_ok;
}

static bool set_number(napi_env env, napi_value object, const char *name, uint32_t number) {
  napi_value value;
  return napi_create_uint32(env, number, &value) == napi_ok &&
         napi_set_named_property(env, object, name, value) == napi_ok;
}

/* { samples, first, step, width, height, bits }, or NULL with an exception. */
static napi_value component_value(napi_env env, const opj_image_comp_t *component, Target target) {
  napi_value object;
  copy_samples(component, target);
  bool is_made = napi_create_object(env, &object) == napi_ok &&
                 napi_set_named_property(env, object, "samples", target.array) == napi_ok &&
                 set_number(env, object, "first", target.first) && set_number(env, object, "step", target.step) &&
                 set_number(env, object, "width", component->w) && set_number(env, object, "height", component->h) &&
                 set_number(env, object, "bits", component->prec);
  return is_made ? object : NULL;
}

static napi_value image_value(napi_env env, const opj_image_t *image) {
  bool is_interleaved = are_alike(image);
  Target target = {0};
  napi_value components;
  if (napi_create_array_with_length(env, image->numcomps, &components) != napi_ok) return NULL;
  for (uint32_t index = 0; index < image->numcomps; index++) {
    const opj_image_comp_t *component = &image->comps[index];
    if (!component->data) return NULL;
    if (is_interleaved && index > 0) target.first = index;
    else if (!create_target(env, component, is_interleaved ? image->numcomps : 1, &target)) return NULL;
    napi_value value = component_value(env, component, target);
    if (!value || napi_set_element(env, components, index, value) != napi_ok) return NULL;
  }
  return components;
}

static bool read_request(napi_env env, napi_callback_info info, Request *request) {
  size_t count = 7;
  napi_value given[7];
  napi_typedarray_type type;
  void *bytes;
  int32_t *const sides[] = {&request->left, &request->top, &request->right, &request->bottom};
  if (napi_get_cb_info(env, info, &count, given, NULL, NULL) != napi_ok || count < 7) return false;
  if (napi_get_typedarray_info(env, given[0], &type, &request->size, &bytes, NULL, NULL) != napi_ok) return false;
  for (int index = 0; index < 4; index++)
    if (napi_get_value_int32(env, given[1 + index], sides[index]) != napi_ok) return false;
  request->bytes = bytes;
  return type == napi_uint8_array && napi_get_value_uint32(env, given[5], &request->reduction) == napi_ok &&
         request->reduction < 32 && napi_get_value_double(env, given[6], &request->max_bytes) == napi_ok;
}

/* decode(bytes, left, top, right, bottom, reduction, maxBytes) */
static napi_value decode(napi_env env, napi_callback_info info) {
  Request request = {0};
  Failure failure = {.code = "damaged"};
  if (!read_request(env, info, &request)) {
    napi_throw_type_error(env, NULL, "decode takes bytes, four sides, a reduction and a number of bytes");
    return NULL;
  }
  opj_image_t *image = decode_request(&request, &failure);
  if (!image) {
    napi_throw_error(env, failure.code, failure.message);
    return NULL;
  }
  napi_value components = image_value(env, image);
  opj_image_destroy(image);
  if (!components) napi_throw_error(env, "memory", "there is no memory for the samples");
  return components;
}

NAPI_MODULE_INIT() {
  napi_value function, version;
  if (napi_create_function(env, "decode", NAPI_AUTO_LENGTH, decode, NULL, &function) != napi_ok ||
      napi_set_named_property(env, exports, "decode", function) != napi_ok ||
      napi_create_string_utf8(env, opj_version(), NAPI_AUTO_LENGTH, &version) != napi_ok ||
      napi_set_named_property(env, exports, "version", version) != napi_ok)
    return NULL;
  return exports;
}
