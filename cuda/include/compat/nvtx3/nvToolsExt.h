// SPDX-License-Identifier: Apache-2.0
//
// NVTX names ranges of time for profilers. It changes no result, so it is accepted and does
// nothing.
#ifndef NVTX_VERSION
#define NVTX_VERSION 3

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_SUCCESS 0
#define NVTX_NO_PUSH_POP_TRACKING (-2)
#define NVTX_RESOURCE_CLASS_GENERIC 1

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st* nvtxStringHandle_t;
typedef struct nvtxResourceHandle* nvtxResourceHandle_t;

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;
typedef union nvtxMessageValue_t {
  const char* ascii;
  const wchar_t* unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_v2 {
  uint16_t version, size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType, reserved0;
  union payload_t {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

// A function that returns nothing of note.
#define HEDDLE_NVTX(result, name, parameters, value)                                               \
  static inline result name parameters {                                                           \
    return value;                                                                                  \
  }
#if defined(__clang__) || defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
HEDDLE_NVTX(void, nvtxInitialize, (const void* reserved), )
HEDDLE_NVTX(void, nvtxMarkEx, (const nvtxEventAttributes_t* event), )
HEDDLE_NVTX(void, nvtxMarkA, (const char* message), )
HEDDLE_NVTX(void, nvtxMarkW, (const wchar_t* message), )
HEDDLE_NVTX(nvtxRangeId_t, nvtxRangeStartEx, (const nvtxEventAttributes_t* event), 0)
HEDDLE_NVTX(nvtxRangeId_t, nvtxRangeStartA, (const char* message), 0)
HEDDLE_NVTX(nvtxRangeId_t, nvtxRangeStartW, (const wchar_t* message), 0)
HEDDLE_NVTX(void, nvtxRangeEnd, (nvtxRangeId_t id), )
HEDDLE_NVTX(int, nvtxRangePushEx, (const nvtxEventAttributes_t* event), NVTX_NO_PUSH_POP_TRACKING)
HEDDLE_NVTX(int, nvtxRangePushA, (const char* message), NVTX_NO_PUSH_POP_TRACKING)
HEDDLE_NVTX(int, nvtxRangePushW, (const wchar_t* message), NVTX_NO_PUSH_POP_TRACKING)
HEDDLE_NVTX(int, nvtxRangePop, (void), NVTX_NO_PUSH_POP_TRACKING)
HEDDLE_NVTX(void, nvtxNameCategoryA, (uint32_t category, const char* name), )
HEDDLE_NVTX(void, nvtxNameCategoryW, (uint32_t category, const wchar_t* name), )
HEDDLE_NVTX(void, nvtxNameOsThreadA, (uint32_t thread, const char* name), )
HEDDLE_NVTX(void, nvtxNameOsThreadW, (uint32_t thread, const wchar_t* name), )
HEDDLE_NVTX(nvtxDomainHandle_t, nvtxDomainCreateA, (const char* name), NULL)
HEDDLE_NVTX(nvtxDomainHandle_t, nvtxDomainCreateW, (const wchar_t* name), NULL)
HEDDLE_NVTX(void, nvtxDomainDestroy, (nvtxDomainHandle_t domain), )
HEDDLE_NVTX(void, nvtxDomainMarkEx,
            (nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event), )
HEDDLE_NVTX(nvtxRangeId_t, nvtxDomainRangeStartEx,
            (nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event), 0)
HEDDLE_NVTX(void, nvtxDomainRangeEnd, (nvtxDomainHandle_t domain, nvtxRangeId_t id), )
HEDDLE_NVTX(int, nvtxDomainRangePushEx,
            (nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event),
            NVTX_NO_PUSH_POP_TRACKING)
HEDDLE_NVTX(int, nvtxDomainRangePop, (nvtxDomainHandle_t domain), NVTX_NO_PUSH_POP_TRACKING)
HEDDLE_NVTX(nvtxStringHandle_t, nvtxDomainRegisterStringA,
            (nvtxDomainHandle_t domain, const char* string), NULL)
HEDDLE_NVTX(nvtxStringHandle_t, nvtxDomainRegisterStringW,
            (nvtxDomainHandle_t domain, const wchar_t* string), NULL)
HEDDLE_NVTX(void, nvtxDomainNameCategoryA,
            (nvtxDomainHandle_t domain, uint32_t category, const char* name), )
HEDDLE_NVTX(void, nvtxDomainNameCategoryW,
            (nvtxDomainHandle_t domain, uint32_t category, const wchar_t* name), )
#if defined(__clang__) || defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
#undef HEDDLE_NVTX

#ifdef UNICODE
#define nvtxMark nvtxMarkW
#define nvtxRangeStart nvtxRangeStartW
#define nvtxRangePush nvtxRangePushW
#define nvtxNameCategory nvtxNameCategoryW
#define nvtxNameOsThread nvtxNameOsThreadW
#define nvtxDomainCreate nvtxDomainCreateW
#define nvtxDomainRegisterString nvtxDomainRegisterStringW
#define nvtxDomainNameCategory nvtxDomainNameCategoryW
#else
#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxDomainNameCategory nvtxDomainNameCategoryA
#endif

#endif
